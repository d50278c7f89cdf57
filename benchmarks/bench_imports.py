"""What each import adds to the start of a process: the table behind docs/adr/0002 and 0003.

Every row is a fresh process of this environment, run in turn with all the others so that a busy machine slows them
alike; the figure is the ratio of its median to that of ``python -c pass``. Modules that are not installed are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import subprocess
import sys
import time

BASE = "pass"
ROWS = {
    "python -c pass": BASE,
    "_json": "import _json",
    "SHA-256, built in": "import sys\n__import__('_sha2' if sys.version_info >= (3, 12) else '_sha256')",
    "_hashlib": "import _hashlib",
    "json": "import json",
    "hashlib": "import hashlib",
    "re": "import re",
    "enum": "import enum",
    "functools": "import functools",
    "typing": "import typing",
    "pathlib": "import pathlib",
    "dataclasses": "import dataclasses",
    "argparse": "import argparse",
    "upheld": "import upheld",
    "upheld.model.value": "import upheld.model.value",
    "platformdirs": "import platformdirs",
    "click": "import click",
    "rich.console": "import rich.console",
    "cryptography (Ed25519)": "import cryptography.hazmat.primitives.asymmetric.ed25519",
    "10 classes x 12 fields: __slots__": (
        "for i in range(10): type('C', (), {'__slots__': tuple(f'f{j}' for j in range(12))})"
    ),
    "10 classes x 12 fields: upheld Value": (
        "from upheld.model.value import Value\n"
        "for i in range(10): type(Value)('C', (Value,), {'__annotations__': {f'f{j}': 'int' for j in range(12)}})"
    ),
    "10 classes x 12 fields: NamedTuple": (
        "import typing\nfor i in range(10): typing.NamedTuple('C', [(f'f{j}', int) for j in range(12)])"
    ),
    "10 classes x 12 fields: frozen dataclass": (
        "import dataclasses\n"
        "fields = [(f'f{j}', int) for j in range(12)]\n"
        "for i in range(10): dataclasses.make_dataclass('C', fields, frozen=True, slots=True)"
    ),
}


def installed(code: str) -> bool:
    """Whether this environment has what the row imports."""
    names = [name.strip() for line in code.split("\n") if line.startswith("import ") for name in line[7:].split(",")]
    return all(importlib.util.find_spec(name.split(".")[0]) is not None for name in names)


def seconds(code: str) -> float:
    """The wall time of one fresh process."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begin


def main() -> None:
    """Measure all rows in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="processes a row (default: 25)")
    rounds = parser.parse_args().rounds
    rows = {title: code for title, code in ROWS.items() if installed(code)}
    times: dict[str, list[float]] = {title: [] for title in rows}
    for _ in range(rounds):
        for title, code in rows.items():
            times[title].append(seconds(code))
    base = statistics.median(times["python -c pass"])
    print(f"Python {sys.version.split()[0]}, {rounds} processes a row, `python -c pass` {base * 1000:.1f} ms\n")
    print("| what the process does | times `python -c pass` |\n|---|---|")
    for title, taken in times.items():
        print(f"| `{title}` | {statistics.median(taken) / base:.2f} |")


if __name__ == "__main__":
    main()
