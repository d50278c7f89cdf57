"""A cold recall of a sealed and pinned store against a bare start of the same interpreter, for stores of many sizes.

Every row is a fresh process of this environment, run in turn with all the others so that a busy machine slows them
alike; the figure is the ratio of its median to that of ``python -c pass``, on the wall and in processor time.
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
from upheld.compose.library import Memory
from upheld.compose.state import state_root
from upheld.stores.state_directory import is_pinned_at

KEY = "instruction-0"
SIZES = (2, 10, 100)


def store(folder: Path, keys: int) -> Path:
    """Make a sealed store of so many keys, pinned in the home that the environment names."""
    memory = Memory(path=str(folder), why="named")
    memory.init(passphrase=False, automation=("remember",))
    for number in range(keys):
        memory.remember(
            f"instruction-{number}",
            f"# Instruction {number}\n\nDo thing number {number} first.\n",
            when=f"Before doing thing number {number}",
            because="It is to be measured.",
        )
    if not is_pinned_at(state_root(os.environ), str(folder)):
        raise SystemExit("the store was not pinned")
    return folder


def seconds(command: list[str]) -> tuple[float, float]:
    """The wall time of one fresh process, and its processor time."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure all rows in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="processes a row (default: 25)")
    rounds = parser.parse_args().rounds
    # Where PYTHONDONTWRITEBYTECODE is set, every start would compile our source anew; an installed package never does.
    compileall.compile_dir(Path(upheld.__file__).parent, quiet=1)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or no image would be made either
    script = str(Path(sys.executable).with_name("upheld"))
    with tempfile.TemporaryDirectory() as place:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(place, "home"))
        for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE"):
            os.environ.pop(name, None)
        rows = {"python -c pass": [sys.executable, "-c", "pass"]}
        for keys in SIZES:
            arguments = ["recall", KEY, "--store", str(store(Path(place, str(keys), ".upheld"), keys))]
            rows[f"upheld recall, {keys} keys"] = [script, *arguments]
            if keys == SIZES[1]:
                rows[f"python -m upheld recall, {keys} keys"] = [sys.executable, "-m", "upheld", *arguments]
                rows[f"upheld recall --format json, {keys} keys"] = [script, *arguments, "--format", "json"]
                rows[f"upheld index, {keys} keys"] = [script, "index", *arguments[2:]]
        times: dict[str, list[tuple[float, float]]] = {title: [] for title in rows}
        for _ in range(rounds):
            for title, command in rows.items():
                times[title].append(seconds(command))
    base = [statistics.median(column) for column in zip(*times["python -c pass"], strict=True)]
    cores = os.cpu_count()
    version = sys.version.split()[0]
    print(f"Python {version}, {cores} cores, {rounds} processes a row, bare start {base[0] * 1000:.1f} ms\n")
    print("| what the process does | wall, times `python -c pass` | processor time, times that |\n|---|---|---|")
    for title, taken in times.items():
        wall, used = (statistics.median(column) for column in zip(*taken, strict=True))
        print(f"| `{title}` | {wall / base[0]:.2f} | {used / base[1]:.2f} |")


if __name__ == "__main__":
    main()
