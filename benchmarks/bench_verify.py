"""verify against ``xargs -P sha256sum`` of the same files: one table of ratios from one run.

Usage: ``python benchmarks/bench_verify.py [KEYS] [ROUNDS]`` (100,000 keys, five interleaved rounds). Needs a POSIX
system with xargs and sha256sum, and about a gigabyte of temporary space (each small file takes a block).
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from upheld.testing.builder import DAY, StoreBuilder

PROCESSES = 2


def build(keys: int, folder: Path) -> None:
    """Write a sound closed store of ``keys`` keys with one version each."""
    builder = StoreBuilder()
    for number in range(keys):
        builder.remember(f"key-{number:06d}", f"# Rule {number}\n\nDo as rule {number} says, and log it.\n")
    builder.write(folder)


def timed(command: list[str], **options: object) -> float:
    """Run a command to its end and return how many seconds it took."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)  # type: ignore[call-overload]
    return time.perf_counter() - start


def verify_command(store: Path, processes: int) -> list[str]:
    """Return the command that verifies the store in a fresh process and fails if anything is wrong."""
    code = (
        "import sys, upheld;"
        f"verdict = upheld.open(sys.argv[1], unsealed=True, as_of={DAY!r}).verify(processes={processes});"
        "sys.exit(verdict.outcome != 'unverified' or bool(verdict.findings))"
    )
    return [sys.executable, "-c", code, str(store)]


def peak_megabytes(store: Path, processes: int) -> float:
    """Return the largest resident size of any one process of a verification, in megabytes."""
    pid = os.fork()
    if not pid:
        subprocess.run(verify_command(store, processes), check=True)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        Path(f"{store}.peak").write_text(str(usage))
        os._exit(0)
    os.waitpid(pid, 0)
    return int(Path(f"{store}.peak").read_text()) / (1024 if sys.platform != "darwin" else 1024 * 1024)


def main() -> None:
    """Build, measure and print."""
    keys = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as temporary:
        store = Path(temporary) / "store"
        build(keys, store)
        names = [f"{folder}/{name}" for folder in ("records", "sources") for name in sorted(os.listdir(store / folder))]
        listing = Path(temporary) / "names"
        listing.write_bytes(b"\0".join(os.fsencode(name) for name in names))
        baseline = ["xargs", "-0", f"-P{PROCESSES}", "-n", "1000", "sha256sum"]
        taken: dict[str, list[float]] = {"xargs -P2 sha256sum": [], "verify, 2 processes": [], "verify, 1 process": []}
        for _ in range(rounds):
            with listing.open("rb") as feed:
                taken["xargs -P2 sha256sum"].append(timed(baseline, stdin=feed, cwd=store))
            taken["verify, 2 processes"].append(timed(verify_command(store, PROCESSES)))
            taken["verify, 1 process"].append(timed(verify_command(store, 1)))
        first = statistics.median(taken["xargs -P2 sha256sum"])
        print(f"{keys} keys, {len(names)} files, median of {rounds} interleaved rounds, warm page cache")
        for label, values in taken.items():
            median = statistics.median(values)
            print(f"  {label:<22} {median:7.2f} s   {median / first:5.2f}x")
        print(f"  largest process of verify: {peak_megabytes(store, PROCESSES):.0f} MB")


if __name__ == "__main__":
    main()
