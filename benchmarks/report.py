"""Put what a benchmark printed between its marks in docs/benchmarks.md, with the machine that it ran on."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

import upheld

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def machine() -> str:
    """Say what ran it and how busy it was; no name and no path of the machine."""
    load = f", load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else ""
    return (
        f"Upheld {upheld.__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores ({_processor()}){load}."
    )


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or "unknown"


def write(mark: str, text: str, picture: tuple[str, str, str] | None = None, *, page: Path = PAGE) -> None:
    """Replace what stands between ``<!-- MARK: ... -->`` and ``<!-- end of MARK -->``.

    Args:
        mark: the name in the marks.
        text: Markdown.
        picture: a file beside the page, what it shows, and the SVG; None for none.
        page: the page.

    Raises:
        ValueError: the page has no such marks.
    """
    said = page.read_text("utf-8")
    found = re.search(rf"(<!-- {mark}:[^\n]*-->\n).*?(<!-- end of {mark} -->)", said, re.DOTALL)
    if found is None:
        raise ValueError(f"{page.name} has no marks for {mark}")
    body = text.rstrip("\n")
    if picture is not None:
        name, shows, drawing = picture
        body += f"\n\n![{shows}]({name})"
        (page.parent / name).write_text(drawing, "utf-8")
    page.write_text(f"{said[: found.start()]}{found[1]}\n{body}\n\n{found[2]}{said[found.end() :]}", "utf-8")
