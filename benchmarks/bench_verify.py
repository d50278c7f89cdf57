"""verify against ``xargs -P sha256sum`` of the same files: one table of ratios from one run.

Wall time is what a person waits for; processor time (user and system, all processes of a command) says the same on a
machine that has other work to do.

Usage: ``python benchmarks/bench_verify.py [KEYS] [ROUNDS] [--alone]`` (100,000 keys, five interleaved rounds;
``--alone`` measures a single process as well). Needs a POSIX
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


def timed(command: list[str], **options: object) -> tuple[float, float]:
    """Run a command to its end; return how many seconds it took on the wall, and on all processors together."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)  # type: ignore[call-overload]
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def verify_command(store: Path, processes: int) -> list[str]:
    """Return the command that verifies the store in a fresh process and fails if anything is wrong."""
    code = (
        "import sys, upheld;"
        f"verdict = upheld.open(sys.argv[1], unsealed=True, as_of={DAY!r}).verify(processes={processes});"
        "sys.exit(verdict.outcome != 'unverified' or bool(verdict.findings))"
    )
    return [sys.executable, "-c", code, str(store)]


def peak_megabytes(store: Path, processes: int) -> float:
    """Return the largest resident size of any one process of a verification, in megabytes.

    A shell stands between: a process that is started inherits the peak of the one that started it, and this one has
    built a store.
    """
    code = (
        "import resource, sys, upheld;"
        f"upheld.open(sys.argv[1], unsealed=True, as_of={DAY!r}).verify(processes={processes});"
        "print(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))"
    )
    command = ["/bin/sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-c", code, str(store)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(said) / (1024 if sys.platform != "darwin" else 1024 * 1024)


def main() -> None:
    """Build, measure and print."""
    keys = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as temporary:
        store = Path(temporary) / "store"
        build(keys, store)
        names = [f"{folder}/{name}" for folder in ("records", "sources") for name in sorted(os.listdir(store / folder))]
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):  # what this user has pinned is no part of it
            os.environ[name] = str(Path(temporary) / "home")
        listing = Path(temporary) / "names"
        listing.write_bytes(b"\0".join(os.fsencode(name) for name in names))
        baseline = ["xargs", "-0", f"-P{PROCESSES}", "-n", "1000", "sha256sum"]
        taken: dict[str, list[tuple[float, float]]] = {"xargs -P2 sha256sum": [], "verify, 2 processes": []}
        for _ in range(rounds):
            with listing.open("rb") as feed:
                taken["xargs -P2 sha256sum"].append(timed(baseline, stdin=feed, cwd=store))
            taken["verify, 2 processes"].append(timed(verify_command(store, PROCESSES)))
            if "--alone" in sys.argv:
                taken.setdefault("verify, 1 process", []).append(timed(verify_command(store, 1)))
        peak = peak_megabytes(store, PROCESSES)
    version, cores = sys.version.split()[0], os.cpu_count()
    print(f"Python {version}, {cores} cores; {keys} keys, {len(names)} files, {rounds} interleaved rounds, warm\n")
    print("| what runs | wall, s | ratio | processor time, s | ratio |\n|---|---|---|---|---|")
    base = [statistics.median(column) for column in zip(*taken["xargs -P2 sha256sum"], strict=True)]
    for label, values in taken.items():
        wall, used = (statistics.median(column) for column in zip(*values, strict=True))
        print(f"| {label} | {wall:.2f} | {wall / base[0]:.2f} | {used:.2f} | {used / base[1]:.2f} |")
    print(f"\nThe largest process of verify holds {peak:.0f} MB.")


if __name__ == "__main__":
    main()
