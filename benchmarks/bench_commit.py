"""What a commit costs as a store grows: ``remember`` and ``correct`` in one process, sealed, screened and fsynced.

Usage: ``python benchmarks/bench_commit.py [ROUNDS] [KEYS ...]`` (5 rounds, 10 and 10,000 keys). Stores take turns in
each round; the figures are medians of wall and processor time (of this process and git, which keeps the history).
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from large_store import sealed_store

SIZES = (10, 10_000)


def timed(act: object) -> tuple[float, float]:
    """Call ``act``; return milliseconds on the wall and of processor time."""
    start, before = time.perf_counter(), used()
    act()  # type: ignore[operator]
    return (time.perf_counter() - start) * 1000, (used() - before) * 1000


def used() -> float:
    """Return seconds of processor time of this process and of those that it waited for."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def main() -> None:
    """Build, measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    sizes = tuple(map(int, sys.argv[2:])) or SIZES
    taken: dict[tuple[str, int], list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as place:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(place, "home"))
        for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE"):
            os.environ.pop(name, None)
        stores = {keys: sealed_store(Path(place, str(keys), ".upheld"), keys) for keys in sizes}
        for turn in range(rounds):
            for keys, memory in stores.items():
                new = f"new-{turn}"
                text = f"# New {turn}\n\nAsk before thing {turn} is done.\n"
                made = timed(lambda: memory.remember(new, text, when=f"Before thing {turn}", because="Measured."))  # noqa: B023
                changed = timed(lambda: memory.correct(new, text + "Twice.\n", because="Measured again."))  # noqa: B023
                taken.setdefault(("remember", keys), []).append(made)
                taken.setdefault(("correct", keys), []).append(changed)
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, medians of {rounds} interleaved rounds\n")
    print("| verb | keys | wall, ms | ratio | processor time, ms | ratio |\n|---|---|---|---|---|---|")
    for verb in ("remember", "correct"):
        base = [statistics.median(column) for column in zip(*taken[verb, sizes[0]], strict=True)]
        for keys in sizes:
            wall, used = (statistics.median(column) for column in zip(*taken[verb, keys], strict=True))
            print(f"| {verb} | {keys:,} | {wall:.0f} | {wall / base[0]:.2f} | {used:.0f} | {used / base[1]:.2f} |")


if __name__ == "__main__":
    main()
