"""The article's line: the first line of a source that is neither blank nor a heading."""

from __future__ import annotations


def instruction(text: str) -> str | None:
    """Return the instruction line, stripped, or None where the source holds none (article, step 5)."""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            return stripped
    return None
