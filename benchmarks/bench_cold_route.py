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
from large_store import key_of, sealed_store, subject_of

POINTERS = 1_000


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
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or no image would be made either
    script = str(Path(sys.executable).with_name("upheld"))
    with tempfile.TemporaryDirectory() as place:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(place, "home"))
        named = ["--store", sealed_store(Path(place, "project", ".upheld"), POINTERS).path]
        sentence = f"Before you {subject_of(77)}"
        rows = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "upheld recall KEY": [script, "recall", key_of(77), *named],
            "upheld route, by its sentence": [script, "route", sentence, *named],
            "upheld route, several to choose from": [
                script,
                "route",
                f"somebody wants to {subject_of(77).replace(' the ', ' a ')} of ours, and soon",
                *named,
            ],
            "upheld route, none": [script, "route", "make me a sandwich with cheese", *named],
        }
        for command in rows.values():  # the first contact, and the image that it leaves to the next
            for _ in range(2):
                spent(command)
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
