"""A small disk that is full at every size: nothing is lost, and with room again the next command works."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import crash_oracle
import pytest
from crash_judge import NOTHING, judge_writing, leftovers, say
from crash_world import SCRIPT, build, run

from upheld.errors import StorageError
from upheld.stores.disk import Disk

PAGE = 4096


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 pages and 64 files."""
    place = tmp_path / "small"
    place.mkdir()
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={64 * PAGE},nr_inodes=64", "tmpfs", str(place)],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("NO FULL DISK WAS TRIED: there is no mount command")
    if done.returncode:
        pytest.skip(f"NO FULL DISK WAS TRIED: mounting is not allowed here: {done.stderr.strip()[:200]}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def attempt(number: int, place: Path) -> bool:
    """Do one write with the real disk; return whether it was committed."""
    try:
        run(SCRIPT[number], place, Disk(str(place)))
    except StorageError:
        return False
    return True


@pytest.mark.parametrize("number", [0, 1, 3], ids=["init", "remember", "correct"])
@pytest.mark.parametrize("what", ["pages", "files"])
def test_full_at_every_size(mounted: Path, number: int, what: str) -> None:
    outcomes = set()
    for free in range(24):
        place = mounted / f"store{free}"
        place.mkdir()
        before = build(place, SCRIPT[:number]) if number else NOTHING
        after = SCRIPT[number].after({} if before is NOTHING else before)
        (place / ".lock").touch()
        fill(mounted, what, free)
        committed = attempt(number, place)
        outcomes.add(committed)
        said = say(place, frozenset(before) | frozenset(after))
        assert said == (after if committed else before), (what, free)
        empty(mounted)
        found = judge_writing(place, said, SCRIPT[number], after, frozenset(before) | frozenset(after))
        assert not found
        assert not leftovers(place)
        assert not crash_oracle.faults(place)
        subprocess.run(["rm", "-r", str(place)], check=True)
    assert outcomes == {True, False}


def fill(mounted: Path, what: str, free: int) -> None:
    """Leave room for ``free`` pages, or for ``free`` files."""
    state = os.statvfs(mounted)
    (mounted / "filler").mkdir()
    if what == "files":
        for number in range(os.statvfs(mounted).f_ffree - free):
            (mounted / "filler" / str(number)).touch()
        return
    rest = state.f_bavail * state.f_frsize - free * PAGE
    (mounted / "filler" / "bytes").write_bytes(bytes(max(0, rest)))


def empty(mounted: Path) -> None:
    subprocess.run(["rm", "-r", str(mounted / "filler")], check=True)
