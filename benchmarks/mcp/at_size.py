"""What a recall costs as a memory fills: this project and its peers on the same content, in one run.

Every server is given the same short instructions, 10 to 10,000 of them, through its own tools, and is then asked for
one of them: from the start of its process to the answer, and again while it is warm. Those that know no names are asked
by what the instruction is about, in its own words. Beside them stand `upheld recall` in a fresh process, and the
checker of the article that the store's form comes from (read from ``../shared``, where it is).

    python benchmarks/mcp/at_size.py --into FOLDER [--sizes 10,1000,10000] [--rounds 7] [--write]

``--write`` puts the table into docs/benchmarks.md and the picture beside it. The peers are installed into FOLDER.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from install import installed, version_of
from line_client import LineClient
from line_client import text_of as answer_of
from peers import PEERS, Note, Peer, Upheld

from curve import curve
from large_store import built, key_of, subject_of, text_of
from report import machine, write
from upheld.testing.builder import encoded

SIZES = (10, 1_000, 10_000)
COMPARED = ("upheld", "server-memory", "bettermemory", "inspeximus", "basic-memory")
FILL_SECONDS = 120.0
"""A server that is not full by then is measured with what it holds."""
CHECKER = Path(__file__).resolve().parents[3] / "shared" / "article-store" / "memory_check.py"


class Row(NamedTuple):
    """What was measured of one memory at one size.

    Attributes:
        cold: start to answer, as a multiple of a bare start.
        warm: seconds; None where nothing stays running.
        right: how many of the answers that were ``asked`` for held the right text.
    """

    name: str
    size: int
    held: int
    cold: float
    warm: float | None
    right: int
    asked: int


def notes_of(count: int) -> list[Note]:
    """The same instructions for everybody."""
    return [Note(key_of(number), text_of(number), subject_of(number)) for number in range(count)]


def measured(peer: Peer, into: Path, home: Path, size: int, rounds: int, fill: float) -> Row:
    """Fill one server, and ask it."""
    notes = notes_of(size)
    peer.prepare(home)
    ends = time.monotonic() + fill
    with _server(peer, into, home) as client:
        if peer.name != "upheld":
            client.open()
        held = peer.fill(client, home, notes, lambda: time.monotonic() > ends)
    cold, bare, answers = [], [], []
    for turn in range(rounds):
        bare.append(bare_start())
        with _server(peer, into, home) as client:
            client.open()
            answers.append(_is_right(peer, client, notes[(turn * 7) % held]))
            cold.append(time.perf_counter() - client.started)
    with _server(peer, into, home) as client:
        client.open()
        spans = []
        for turn in range(20):
            note = notes[(turn * 37) % held]
            begun = time.perf_counter()
            answers.append(_is_right(peer, client, note))
            spans.append(time.perf_counter() - begun)
    return Row(
        name=peer.name,
        size=size,
        held=held,
        cold=statistics.median(cold) / statistics.median(bare),
        warm=statistics.median(spans),
        right=sum(answers),
        asked=len(answers),
    )


def _is_right(peer: Peer, client: LineClient, note: Note) -> bool:
    answer: dict[str, Any] = peer.find(client, note)
    return not answer.get("isError") and note.text in answer_of(answer)


def _server(peer: Peer, into: Path, home: Path) -> LineClient:
    return LineClient(peer.command(into / peer.name), peer.environment(home), home)


def run_cold(name: str, size: int, rounds: int, command: Callable[[str], Sequence[str]], env: dict[str, str]) -> Row:
    """Ask a command that ends with its answer."""
    cold, bare, right = [], [], 0
    for turn in range(rounds):
        bare.append(bare_start())
        number = (turn * 7) % size
        begun = time.perf_counter()
        done = subprocess.run(command(key_of(number)), capture_output=True, env={**os.environ, **env}, check=False)
        cold.append(time.perf_counter() - begun)
        right += done.returncode == 0 and text_of(number).encode() in done.stdout
    return Row(name, size, size, statistics.median(cold) / statistics.median(bare), None, right, rounds)


def article_store(folder: Path, size: int) -> Path:
    """Write the same instructions as a store of the article's form, with its checker in it; return the checker."""
    entries = built(folder, size, 1)
    (folder / "index.json").write_bytes(encoded({"schema_version": "1.0", "entries": entries}))
    return Path(shutil.copy(CHECKER, folder / "memory_check.py"))


def all_rows(
    peers: Sequence[Peer], into: Path, sizes: Sequence[int], rounds: int, place: Path, fill: float
) -> list[Row]:
    """Measure every memory at every size."""
    rows = []
    program = str(Path(sys.executable).with_name("upheld"))
    for size in sizes:
        for peer in peers:
            home = place / f"{peer.name}-{size}"
            home.mkdir()
            print(f"{peer.name}, {size:,}", file=sys.stderr, flush=True)
            rows.append(measured(peer, into, home, size, rounds, fill))
            if isinstance(peer, Upheld):
                store = str(peer.store(home))
                recall = [program, "recall"]
                environment = peer.environment(home)
                rows.append(
                    run_cold("upheld recall", size, rounds, lambda key: [*recall, key, "--store", store], environment)  # noqa: B023
                )
        if CHECKER.is_file():
            checker = str(article_store(place / f"article-{size}", size))
            python = [sys.executable, "-I", "-S", checker]
            rows.append(run_cold("the article's checker", size, rounds, lambda key: [*python, key], {}))  # noqa: B023
    return rows


def table(rows: Sequence[Row], versions: dict[str, str]) -> str:
    """Return the Markdown table: multiples of a bare start, and of Upheld's own warm recall."""
    ours = {row.size: row.warm for row in rows if row.name == "upheld" and row.warm}
    lines = [
        "| memory | entries | start to answer: times a bare start | warm recall: times Upheld's | right text in it |",
        "|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda row: (list(dict.fromkeys(one.name for one in rows)).index(row.name), row.size)):
        held = f"{row.size:,}" if row.held == row.size else f"{row.held:,} (of {row.size:,}: filling took too long)"
        warm = "-" if row.warm is None else f"{row.warm / ours[row.size]:.1f}"
        name = f"{row.name} {versions.get(row.name, '')}".strip()
        lines.append(f"| {name} | {held} | {row.cold:.1f} | {warm} | {row.right} of {row.asked} |")
    return "\n".join(lines) + "\n"


def picture(rows: Sequence[Row]) -> str:
    """Draw start to answer against the number of entries."""
    lines: dict[str, dict[int, float]] = {}
    for row in rows:
        lines.setdefault(row.name, {})[row.held] = row.cold
    return curve(lines, across="entries", up="start to answer, times a bare start of Python")


def bare_start() -> float:
    """Return the seconds that a bare start takes."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - begun


def main() -> int:
    """Install, fill, measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True, help="where the peers are installed")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of entries, ascending")
    parser.add_argument("--rounds", type=int, default=7, help="fresh processes a memory and size (default: 7)")
    parser.add_argument("--fill-seconds", type=float, default=FILL_SECONDS, help="how long a server may take to fill")
    parser.add_argument("--only", default=",".join(COMPARED), help="which memories, by name")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md and docs/peers.svg")
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package keeps its compiled files
    wanted = given.only.split(",")
    peers, missing = installed([peer for peer in PEERS if peer.name in wanted], given.into.resolve())
    if not CHECKER.is_file():
        missing.append("Not measured: the article's checker, which is not at hand beside this checkout.")
    sizes = [int(size) for size in given.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="upheld-peers-") as place:
        rows = all_rows(peers, given.into.resolve(), sizes, given.rounds, Path(place), given.fill_seconds)
    versions = {peer.name: version_of(peer, given.into.resolve()) for peer in peers}
    text = "\n".join((table(rows, versions), *missing, f"Medians of {given.rounds} starts. {machine()}")) + "\n"
    print(text)
    if given.write:
        write("peers", text, ("peers.svg", "Start to answer as a memory fills", picture(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
