"""What grows with a store and what does not: from 10 keys to 100,000, as tables and as a log-log picture.

A cold recall, a recall in process (every byte read and hashed anew), ``verify`` against ``sha256sum`` of the same
files, a commit (sealed, screened, recorded in history, its routes and near index told), and the size of the index. What
is read has a history of three versions a key. Stores take turns in each round, so that whatever else the machine does
slows all of them;
only ratios mean anything.

Usage: ``python benchmarks/bench_scale.py [--sizes 10,1000] [--rounds 25] [--write]``. ``--write`` puts the tables into
``docs/benchmarks.md`` and the picture beside it. 100,000 keys take about 2.5 GB of temporary space and some minutes.
"""

from __future__ import annotations

import argparse
import compileall
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import upheld
from bench_commit import used
from bench_verify import PROCESSES, timed
from curve import curve
from large_store import built, key_of, sealed_store
from report import machine, write
from upheld.compose.library import Memory
from upheld.testing.builder import StoreBuilder, write_files

SIZES = (10, 100, 1_000, 10_000, 100_000)
VERSIONS = 3
Row = dict[str, float]


def build(folder: Path, keys: int, versions: int) -> Path:
    """Write a closed store, so that what is read is measured without a seal."""
    whole = StoreBuilder()
    whole.entries += built(folder, keys, versions)
    write_files(whole.files(), folder)
    return folder


def cold(stores: dict[int, Path], rounds: int) -> dict[int, list[float]]:
    """Time a recall in a fresh process; size 0 is a bare start of the interpreter."""
    script = str(Path(sys.executable).with_name("upheld"))
    commands = {0: [sys.executable, "-c", "pass"]}
    for keys, store in stores.items():
        commands[keys] = [script, "recall", key_of(keys // 2), "--store", str(store), "--unsealed"]
    taken: dict[int, list[tuple[float, float]]] = {keys: [] for keys in commands}
    for _ in range(rounds):
        for keys, command in commands.items():
            taken[keys].append(timed(command))
    return {keys: [statistics.median(column) for column in zip(*times, strict=True)] for keys, times in taken.items()}


def in_process(store: Path, keys: int, calls: int = 1_000) -> tuple[float, float]:
    """Return the median and the 99th percentile of a recall in process, in milliseconds of processor time."""
    memory = Memory(path=str(store), why="named", unsealed=True)
    wanted = random.Random(7)
    spans = []
    for _ in range(calls):
        key = key_of(wanted.randrange(keys))
        begun = time.process_time()
        outcome = memory.recall(key)
        spans.append((time.process_time() - begun) * 1000)
        if outcome.outcome != "unsealed":
            raise SystemExit(f"{key}: {outcome}")
    spans.sort()
    return spans[calls // 2], spans[calls * 99 // 100]


def verified(store: Path, rounds: int) -> tuple[float, float]:
    """Return what a verification takes, as ratios to ``sha256sum`` of the same files: wall and processor time."""
    code = (
        "import sys, upheld; verdict = upheld.open(sys.argv[1], unsealed=True).verify(processes=2);"
        "sys.exit(bool(verdict.findings))"
    )
    names = [f"{folder}/{name}" for folder in ("records", "sources") for name in sorted(os.listdir(store / folder))]
    listing = Path(f"{store}.names")
    listing.write_bytes(b"\0".join(os.fsencode(name) for name in names))
    ratios = []
    for number in range(rounds + 1):
        with listing.open("rb") as feed:
            base = timed(["xargs", "-0", f"-P{PROCESSES}", "-n", "1000", "sha256sum"], stdin=feed, cwd=store)
        ours = timed([sys.executable, "-c", code, str(store)])
        if number:  # the first round only warms the cache
            ratios.append((ours[0] / base[0], ours[1] / base[1]))
    wall, used = (statistics.median(column) for column in zip(*ratios, strict=True))
    return wall, used


def committed(memory: Memory, turn: int) -> tuple[float, float]:
    """Return what a new key and its correction take, in milliseconds of processor time.

    Nothing is left out: the screen, the seal, history (a git process), the near index and the routes.
    """
    key, text = f"new-{turn}", f"# New {turn}\n\nAsk before thing {turn} is done.\n"
    made = memory.remember(key, text, when=f"Before thing {turn}", because="Measured.")
    new = _span(
        lambda: memory.remember(f"{key}-too", f"{text}Too.\n", when=f"Before thing {turn}-2", because="Measured.")
    )
    changed = _span(lambda: memory.correct(key, f"{text}Twice.\n", because="Measured again."))
    if made.warning:
        raise SystemExit(made.warning)
    return new, changed


def _span(act: Callable[[], object]) -> float:
    begun = used()
    act()
    return (used() - begun) * 1000


def index_bytes(store: Path) -> tuple[int, int]:
    """Return the size of the whole index, and of the root node, which every recall reads."""
    root = (store / "index.json").stat().st_size
    lower = sum(path.stat().st_size for path in (store / "index").glob("*.json")) if (store / "index").is_dir() else 0
    return root + lower, root


def measure(sizes: Sequence[int], rounds: int, home: Path, *, reads_only: bool) -> tuple[dict[int, Row], float]:
    """Build all stores and measure everything; return a row a size, and the bare start in milliseconds.

    Args:
        sizes: numbers of keys.
        rounds: fresh processes a size.
        home: where the stores are made.
        reads_only: no verification and no commit, which take long in the largest stores; and one version a key.
    """
    stores = {keys: build(home / str(keys), keys, 1 if reads_only else VERSIONS) for keys in sizes}
    cold_times = cold(stores, rounds)
    rows: dict[int, Row] = {}
    for keys, store in stores.items():
        p50, p99 = in_process(store, keys)
        whole, root = index_bytes(store)
        rows[keys] = {
            "cold wall": cold_times[keys][0] / cold_times[0][0],
            "cold": cold_times[keys][1] / cold_times[0][1],
            "p50": p50,
            "p99": p99,
            "index": whole,
            "root": root,
        }
        if keys >= 10_000 and sys.platform != "win32" and not reads_only:
            rows[keys]["verify wall"], rows[keys]["verify"] = verified(store, 3 if keys < 100_000 else 1)
    if reads_only:
        return rows, cold_times[0][0] * 1000
    sealed = {keys: sealed_store(home / f"sealed-{keys}" / ".upheld", keys) for keys in sizes}
    spans: dict[int, list[tuple[float, float]]] = {keys: [] for keys in sizes}
    for turn in range(max(3, rounds // 3)):
        for keys, memory in sealed.items():
            spans[keys].append(committed(memory, turn))
    for keys, taken in spans.items():
        rows[keys]["remember"], rows[keys]["correct"] = (
            statistics.median(column) for column in zip(*taken, strict=True)
        )
    return rows, cold_times[0][0] * 1000


def table(rows: dict[int, Row]) -> str:
    """Return everything as one Markdown table; what has no unit is a ratio."""
    first = rows[min(rows)]
    lines = [
        "| keys | cold recall: times a bare start (processor time) | times the smallest | in process p50, ms | p99, ms "
        "| verify: times sha256sum, wall (processor time) | remember: times the smallest | correct: times the smallest "
        "| index, kB (root node) |",
        "|" + "---|" * 9,
    ]
    for keys, row in rows.items():
        verify = f"{row['verify wall']:.2f} ({row['verify']:.2f})" if "verify" in row else "-"
        lines.append(
            f"| {keys:,} | {row['cold wall']:.2f} ({row['cold']:.2f}) | {row['cold'] / first['cold']:.2f} "
            f"| {row['p50']:.2f} | {row['p99']:.2f} | {verify} | {_grown(row, first, 'remember')} "
            f"| {_grown(row, first, 'correct')} | {row['index'] / 1000:,.0f} ({row['root'] / 1000:.1f}) |"
        )
    return "\n".join(lines) + "\n"


def _grown(row: Row, first: Row, name: str) -> str:
    return f"{row[name] / first[name]:.2f}" if name in row else "-"


CURVES = (("cold recall", "cold"), ("recall in process, p99", "p99"), ("remember", "remember"), ("correct", "correct"))


def picture(rows: dict[int, Row]) -> str:
    """Draw what each costs against what it costs in the smallest store."""
    first = rows[min(rows)]
    lines = {title: {size: row[name] / first[name] for size, row in rows.items()} for title, name in CURVES}
    return curve(lines, across="keys", up="times the smallest store", floor=0.5)


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of keys, ascending")
    parser.add_argument("--rounds", type=int, default=25, help="fresh processes a size (default: 25)")
    parser.add_argument("--reads", action="store_true", help="only recalls, of one version a key: for 1,000,000 keys")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md and docs/scale.svg")
    asked = parser.parse_args()
    # Where PYTHONDONTWRITEBYTECODE is set, every start would compile our source anew; an installed package never does.
    compileall.compile_dir(Path(upheld.__file__).parent, quiet=1)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or no image would be made either
    with tempfile.TemporaryDirectory() as place:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(place, "home"))
        for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE"):
            os.environ.pop(name, None)
        sizes = [int(size) for size in asked.sizes.split(",")]
        rows, bare = measure(sizes, asked.rounds, Path(place), reads_only=asked.reads)
    versions = 1 if asked.reads else VERSIONS
    text = (
        f"{table(rows)}\n{asked.rounds} fresh processes a size, bare start {bare:.1f} ms; versions of a key that are "
        f"read: {versions}. {machine()}\n"
    )
    sys.stdout.write(text)
    if asked.write and not asked.reads:
        write("scale", text, ("scale.svg", "What each costs as a store grows", picture(rows)))


if __name__ == "__main__":
    main()
