"""What a commit costs as a store grows: ``remember`` and ``correct`` in one process, sealed, screened and fsynced.

Usage: ``python benchmarks/bench_commit.py [ROUNDS] [KEYS ...]`` (5 rounds, 10 and 10,000 keys). Stores take turns in
each round; the figures are medians of wall and processor time (of this process and git, which keeps the history).
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from upheld.compose import sealing
from upheld.compose.clock import day_or_today
from upheld.compose.library import Memory
from upheld.services.demo.store import days_from
from upheld.testing.builder import StoreBuilder

AUTOMATION = ("remember", "correct")
SIZES = (10, 10_000)


def build(folder: Path, keys: int) -> Memory:
    """Make a sealed store of so many keys: written in one go without a seal, then migrated."""
    today = day_or_today(None)[1]
    dates = {name: days_from(today, -1) for name in ("recorded_on", "last_verified")}
    builder = StoreBuilder(closed=False)
    for number in range(keys):
        text = f"# Rule {number}\n\nDo as rule {number} says, and log it.\n"
        builder.remember(
            f"key-{number:06d}",
            text,
            recorded_on=dates["recorded_on"],
            last_verified=dates["last_verified"],
            review_on=days_from(today, 60),
            expires_on=days_from(today, 150),
        )
    builder.write(folder)
    found = sealing.key_to_start_with(None, lambda _: None, passphrase=False)
    sealing.migrate(str(folder), found, by="ada", automation=AUTOMATION)
    return Memory(path=str(folder), why="named")


def timed(act: object) -> tuple[float, float]:
    """Call ``act``; return milliseconds on the wall and of processor time."""
    start, before = time.perf_counter(), os.times()
    act()  # type: ignore[operator]
    after = os.times()
    return (time.perf_counter() - start) * 1000, sum(b - a for a, b in zip(before[:4], after[:4], strict=True)) * 1000


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
        stores = {keys: build(Path(place, str(keys), ".upheld"), keys) for keys in sizes}
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
