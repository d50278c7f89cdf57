"""A cold recall against a bare start of the same interpreter, for stores of different sizes.

Every row is a fresh process of this environment, run in turn with all the others so that a busy machine slows them
alike; the figure is the ratio of its median to that of ``python -c pass``. The stores have the article's form; what a
larger index costs beyond one leaf is measured where such stores are written.
"""

from __future__ import annotations

import argparse
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import upheld
from upheld.compose.clock import today
from upheld.services.demo.spoil import write_files
from upheld.services.demo.store import as_json, build, days_from
from upheld.wire.digest import sha256_hex

KEY = "release-notes"
SIZES = (2, 10, 100)


def store(folder: Path, keys: int) -> Path:
    """Write a store of so many keys, the demonstration's two among them."""
    files = build(today())
    entries: list[dict[str, object]] = []
    for number in range(keys - 2):
        name = f"instruction-{number}"
        files[f"sources/{name}.md"] = f"# Instruction {number}\n\nDo thing number {number} first.\n".encode()
        record: dict[str, object] = {
            "id": name,
            "status": "current",
            "recorded_on": days_from(today(), -30),
            "last_verified": days_from(today(), -30),
            "review_on": days_from(today(), 60),
            "expires_on": days_from(today(), 150),
            "durable_source": f"sources/{name}.md",
            "source_sha256": sha256_hex(files[f"sources/{name}.md"]),
        }
        files[f"records/{name}.json"] = as_json(record)
        entries.append(
            {
                "key": name,
                "read_when": f"Before doing thing number {number}",
                "record_id": name,
                "target": f"records/{name}.json",
                "record_sha256": sha256_hex(files[f"records/{name}.json"]),
            }
        )
    added = b"".join(as_json(entry).rstrip(b"\n") + b",\n" for entry in entries)
    files["index.json"] = files["index.json"].replace(b'"entries": [', b'"entries": [\n' + added, 1)
    write_files(files, folder)
    return folder


def seconds(command: list[str]) -> float:
    """The wall time of one fresh process."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> None:
    """Measure all rows in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="processes a row (default: 25)")
    rounds = parser.parse_args().rounds
    # Where PYTHONDONTWRITEBYTECODE is set, every start would compile our source anew; an installed package never does.
    compileall.compile_dir(Path(upheld.__file__).parent, quiet=1)
    script = str(Path(sys.executable).with_name("upheld"))
    with tempfile.TemporaryDirectory() as place:
        rows = {"python -c pass": [sys.executable, "-c", "pass"]}
        for keys in SIZES:
            arguments = ["recall", KEY, "--unsealed", "--store", str(store(Path(place, str(keys)), keys))]
            rows[f"upheld recall, {keys} keys"] = [script, *arguments]
            if keys == SIZES[1]:
                rows[f"python -m upheld recall, {keys} keys"] = [sys.executable, "-m", "upheld", *arguments]
                rows[f"upheld recall --format json, {keys} keys"] = [script, *arguments, "--format", "json"]
                rows[f"upheld index, {keys} keys"] = [script, "index", *arguments[2:]]
        times: dict[str, list[float]] = {title: [] for title in rows}
        for _ in range(rounds):
            for title, command in rows.items():
                times[title].append(seconds(command))
    base = statistics.median(times["python -c pass"])
    cores = os.cpu_count()
    print(
        f"Python {sys.version.split()[0]}, {cores} cores, {rounds} processes a row, bare start {base * 1000:.1f} ms\n"
    )
    print("| what the process does | times `python -c pass` |\n|---|---|")
    for title, taken in times.items():
        print(f"| `{title}` | {statistics.median(taken) / base:.2f} |")


if __name__ == "__main__":
    main()
