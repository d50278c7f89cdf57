"""MCP memory servers side by side, on one machine and in one run.

For each: from the start of its process to the answered ``tools/list``, to its first answered recall, and a warm recall;
how large its tools are; what it answers after its stored text was changed behind its back, and after an old copy of its
store was put back over a correction. Every start is a new process, and the servers take turns.

    python benchmarks/mcp/side_by_side.py --into FOLDER [--starts 9] [--calls 100] [--markdown FILE]

The peers are installed into FOLDER from the package registries, and used again when they are there. One that cannot be
installed is named with the reason. Upheld is the checkout that this Python has installed, with its ``mcp`` extra.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from install import installed, version_of
from line_client import LineClient, ServerGoneError, text_of
from peers import FIRST, PEERS, SECOND, Peer


class Row(NamedTuple):
    """What was measured of one server; times in seconds."""

    name: str
    version: str
    listed: float
    first: float
    warm: float
    size: int
    tools: int
    edited: str
    rolled_back: str


def main() -> int:
    """Install, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True, help="where the peers are installed")
    parser.add_argument("--starts", type=int, default=9)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--markdown", type=Path, help="write the table there too")
    given = parser.parse_args()
    commands, missing = installed(PEERS, given.into)
    rows, bare = measure(commands, given.into, given.starts, given.calls)
    table = "\n".join([*_table(rows, bare), "", *missing, _machine(given.starts, given.calls)])
    print(table)
    if given.markdown:
        given.markdown.write_text(table + "\n", encoding="utf-8")
    return 0


def measure(peers: list[Peer], into: Path, starts: int, calls: int) -> tuple[list[Row], float]:
    """Measure every server, and a bare start of this Python, in turn."""
    with tempfile.TemporaryDirectory(prefix="upheld-mcp-") as folder:
        homes = {peer.name: Path(folder) / peer.name for peer in peers}
        for peer in peers:
            homes[peer.name].mkdir()
            peer.prepare(homes[peer.name])
            with _server(peer, into, homes[peer.name]) as client:
                client.open()
                peer.teach(client, homes[peer.name])
        times: dict[str, list[tuple[float, float]]] = {peer.name: [] for peer in peers}
        bare: list[float] = []
        for _ in range(starts):
            bare.append(_seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)))
            for peer in peers:
                times[peer.name].append(_cold(peer, into, homes[peer.name]))
        rows = [_row(peer, into, homes[peer.name], times[peer.name], calls) for peer in peers]
        return rows, statistics.median(bare)


def _seconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _server(peer: Peer, into: Path, home: Path) -> LineClient:
    return LineClient(peer.command(into / peer.name), peer.environment(home), home)


def _cold(peer: Peer, into: Path, home: Path) -> tuple[float, float]:
    with _server(peer, into, home) as client:
        client.open()
        listed = time.perf_counter() - client.started
        peer.recall(client)
        return listed, time.perf_counter() - client.started


def _row(peer: Peer, into: Path, home: Path, times: list[tuple[float, float]], calls: int) -> Row:
    with _server(peer, into, home) as client:
        tools = client.open()
        assert FIRST in text_of(peer.recall(client)), peer.name
        warm = [_seconds(lambda: peer.recall(client)) for _ in range(calls)]
    return Row(
        name=peer.name,
        version=version_of(peer, into),
        listed=statistics.median(listed for listed, _ in times),
        first=statistics.median(first for _, first in times),
        warm=statistics.median(warm),
        size=len(json.dumps(tools, separators=(",", ":")).encode()),
        tools=len(tools),
        edited=_after_an_edit(peer, into, home),
        rolled_back=_after_a_rollback(peer, into, home),
    )


def _after_an_edit(peer: Peer, into: Path, home: Path) -> str:
    """Change the stored text in every file that holds it, ask a new process, and put everything back."""
    kept = _copy(peer.store(home))
    # As many bytes, so that no length gives it away.
    changed = FIRST.replace("Tuesday", "Sundays")
    for path in peer.store(home).rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        if FIRST.encode() in data:
            path.chmod(0o644)
            path.write_bytes(data.replace(FIRST.encode(), changed.encode()))
    answer = _asked(peer, into, home)
    _put_back(kept, peer.store(home))
    return _said(peer, answer, wrong=changed, right=FIRST)


def _after_a_rollback(peer: Peer, into: Path, home: Path) -> str:
    """Correct the text, put the store of before back, and ask a new process."""
    kept = _copy(peer.store(home))
    with _server(peer, into, home) as client:
        client.open()
        peer.correct(client, home)
        assert SECOND in text_of(peer.recall(client)), peer.name
    _put_back(kept, peer.store(home))
    return _said(peer, _asked(peer, into, home), wrong=FIRST, right=SECOND)


def _asked(peer: Peer, into: Path, home: Path) -> dict[str, Any]:
    try:
        with _server(peer, into, home) as client:
            client.open()
            return peer.recall(client)
    except (ServerGoneError, BrokenPipeError):
        return {"isError": True, "content": [{"type": "text", "text": "the server ended"}]}


def _copy(store: Path) -> Path:
    kept = store.with_name(store.name + ".kept")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(store, kept)
    return kept


def _put_back(kept: Path, store: Path) -> None:
    shutil.rmtree(store)
    shutil.copytree(kept, store)
    shutil.rmtree(kept)


def _said(peer: Peer, answer: dict[str, Any], *, wrong: str, right: str) -> str:
    text = text_of(answer)
    if wrong in text:
        return "serves it, saying that a check failed" if peer.doubt and peer.doubt in text else "serves it"
    if right in text:
        return "serves the right text"
    return "refuses" if answer.get("isError") else "does not serve it, as an answer that is no error"


def _table(rows: list[Row], bare: float) -> list[str]:
    heads = ("server", "start to `tools/list`", "start to first recall", "warm recall", "tools", "their size",
             "text edited behind its back", "old copy put back")  # fmt: skip
    cells = [
        (
            f"{row.name} {row.version}",
            f"{row.listed * 1e3:.0f} ms ({row.listed / bare:.1f}x)",
            f"{row.first * 1e3:.0f} ms ({row.first / bare:.1f}x)",
            f"{row.warm * 1e3:.1f} ms",
            str(row.tools),
            f"{row.size:,} bytes",
            row.edited,
            row.rolled_back,
        )
        for row in rows
    ]
    return [f"| {' | '.join(line)} |" for line in (heads, ("---",) * len(heads), *cells)]


def _machine(starts: int, calls: int) -> str:
    return (
        f"Medians of {starts} starts, taken in turn, and of {calls} warm calls; in brackets, multiples of "
        f"`python -c pass`. {platform.system()} {platform.machine()}, Python {platform.python_version()}."
    )


if __name__ == "__main__":
    sys.exit(main())
