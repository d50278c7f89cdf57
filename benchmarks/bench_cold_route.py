"""A cold ``upheld route`` over 1,000 pointers against a bare start of the same interpreter.

Every row is a fresh process, run in turn with all the others. Besides the wall time, the processor time of the child is
counted: on a machine that others use too, it is the steadier of the two.
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import upheld
from upheld.compose.clock import today
from upheld.testing.builder import StoreBuilder, write_files
from upheld.wire.day import days_after

POINTERS = 1_000
_NOUNS = ("invoice", "parser", "release", "backup", "schema", "banner", "token", "report", "queue", "ledger")
_VERBS = ("rotate", "publish", "archive", "rename", "audit", "translate", "measure", "repair", "approve", "draft")
_PLACES = ("berlin", "lagos", "quito", "osaka", "perth", "turin", "leeds", "delhi", "cairo", "lima")


def store(folder: Path) -> Path:
    """Write a store of 1,000 pointers with a sentence each."""
    builder = StoreBuilder()
    for number in range(POINTERS):
        verb, noun, place = _VERBS[number // 100], _NOUNS[number // 10 % 10], _PLACES[number % 10]
        builder.remember(
            f"key-{number}",
            pointer={"read_when": f"Before you {verb} the {noun} for the {place} office"},
            recorded_on=today(),
            last_verified=today(),
            review_on=days_after(today(), 60),
            expires_on=days_after(today(), 90),
        )
    write_files(builder.files(), folder)
    return folder


def spent(command: list[str]) -> tuple[float, float]:
    """Wall and processor seconds of one fresh process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 4):
        raise SystemExit(f"{command} failed")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure all rows in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="processes a row (default: 25)")
    rounds = parser.parse_args().rounds
    compileall.compile_dir(Path(upheld.__file__).parent, quiet=1)
    script = str(Path(sys.executable).with_name("upheld"))
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_STATE_HOME"] = str(Path(place, "state"))
        named = ["--store", str(store(Path(place, "store"))), "--unsealed"]
        subprocess.run([script, "triggers", "build", *named], check=True, stdout=subprocess.DEVNULL)
        rows = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "upheld recall KEY": [script, "recall", "key-77", *named],
            "upheld route, by its sentence": [script, "route", "audit the schema for the osaka office", *named],
            "upheld route, several to choose from": [
                script,
                "route",
                "somebody wants the schema audited in osaka soon",
                *named,
            ],
            "upheld route, none": [script, "route", "make me a sandwich with cheese", *named],
        }
        times: dict[str, list[tuple[float, float]]] = {title: [] for title in rows}
        for _ in range(rounds):
            for title, command in rows.items():
                times[title].append(spent(command))
    walls = {title: statistics.median(wall for wall, _ in taken) for title, taken in times.items()}
    processor = {title: statistics.median(used for _, used in taken) for title, taken in times.items()}
    base = "python -c pass"
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {rounds} processes a row, {POINTERS:,} pointers\n")
    print("| what the process does | wall time, times `python -c pass` | processor time, likewise |\n|---|---|---|")
    for title in rows:
        print(f"| `{title}` | {walls[title] / walls[base]:.2f} | {processor[title] / processor[base]:.2f} |")


if __name__ == "__main__":
    main()
