"""Real faults at every system call of every scripted write: killed there, or the call fails (strace -e inject=)."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

import crash_driver
import crash_oracle
import crash_world
import pytest
from crash_judge import NOTHING, PROBE, judge_writing, leftovers, not_collectable, say
from crash_world import SCRIPT, Texts, copy, run

WORKERS = 2
CALLS = (
    "openat,write,fsync,fdatasync,link,linkat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,flock,close,"
    "read,newfstatat,fstat,lstat,statx,getdents64,fcntl,lseek,ftruncate"
)
CHANGING = re.compile(r"write|fsync|fdatasync|link|linkat|rename|renameat|renameat2|unlink|unlinkat|mkdir|mkdirat")
KILLED = -signal.SIGKILL


def why_not() -> str:
    """Say why faults cannot be injected here; empty where they can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(
        ["strace", "-qq", "-f", "-e", "trace=none", "-e", "inject=close:error=EIO:when=9999", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if tried.returncode == 0 else f"ptrace is not permitted: {tried.stderr.strip()[:200]}"


pytestmark = pytest.mark.skipif(bool(why_not()), reason=f"NO REAL FAULTS WERE INJECTED: {why_not()}")


class Driver:
    """One driver process; each run forks from it.

    Args:
        mode: ``sealed`` for sealed stores.
    """

    def __init__(self, *mode: str) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._process = subprocess.Popen(
            [sys.executable, crash_driver.__file__, *mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def run(self, place: Path, number: int, *, strace: list[str] | None = None, limit: int | None = None) -> int:
        """Do write ``number`` in ``place`` under strace, or under a limit of file size; return its exit status."""
        tracer: subprocess.Popen[str] | None = None
        pid = self._say(f"{place}\t{number}\t{'' if limit is None else limit}")
        if strace is not None:
            tracer = subprocess.Popen(["strace", "-p", pid, *strace], stderr=subprocess.PIPE, text=True)
            assert tracer.stderr is not None
            assert "attached" in tracer.stderr.readline()
        status = int(self._say("go"))
        if tracer is not None:
            assert tracer.stderr is not None
            tracer.stderr.read()
            tracer.stderr.close()
            tracer.wait()
        return status

    def _say(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


class Start:
    """The store before one write, and what it says before and after it."""

    def __init__(self, place: Path, number: int, said: Texts) -> None:
        self.place, self.number, self.before = place, number, said
        self.write = crash_world.SCRIPT[number]
        self.after = self.write.after({} if said is NOTHING else said)
        self.keys = frozenset(self.before) | frozenset(self.after)


@pytest.fixture(scope="module")
def starts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Start, ...]:
    root = tmp_path_factory.mktemp("starts")
    place, said, found = root / "0", NOTHING, []
    place.mkdir()
    for number, write in enumerate(SCRIPT):
        found.append(Start(place, number, said))
        place = copy(place, root / str(number + 1))
        run(write, place)
        said = found[-1].after
    return tuple(found)


@pytest.fixture(scope="module")
def drivers() -> Iterator[Queue[Driver]]:
    queue: Queue[Driver] = Queue()
    made = [Driver() for _ in range(WORKERS)]
    for driver in made:
        queue.put(driver)
    yield queue
    for driver in made:
        driver.close()


def calls_of(
    start: Start, drivers: Queue[Driver], room: Path, copy: Callable[[Path, Path], Path] = copy
) -> Counter[str]:
    """Count the system calls of one write that is left alone."""
    place, log = copy(start.place, room / "counted"), room / "calls"
    driver = drivers.get()
    assert driver.run(place, start.number, strace=["-o", str(log), "-e", f"trace={CALLS}"]) == crash_driver.COMMITTED
    drivers.put(driver)
    return Counter(re.findall(r"^(?:\d+ +)?(\w+)\(", log.read_text(), re.MULTILINE))


def check(place: Path, start: Start, status: int, *, tidy: bool) -> list[str]:
    """Return what is wrong after a fault: with what is said, with what was claimed, and with how it goes on."""
    said = say(place, start.keys - {""})
    found = [] if said in (start.before, start.after) else [f"it says {said}"]
    if status in (crash_driver.COMMITTED, crash_driver.WARNED) and said != start.after:
        found.append("reported as committed, and is not")
    if (
        status in (crash_driver.STORAGE, crash_driver.REFUSED, crash_driver.CONFLICT, crash_driver.OTHER)
        and said != start.before
    ):
        found.append("reported as failed, and was committed")
    if status not in (KILLED, *range(crash_driver.RAW)):
        found.append("no error of ours")
    if not found:
        found += judge_writing(place, said, start.write, start.after, start.keys - {""})
        left = leftovers(place)
        found += [f"left over: {left}"] if left and tidy else [f"left over: {n}" for n in not_collectable(left)]
        found += crash_oracle.faults(place) if not left else []
    return found


def sweep(start: Start, drivers: Queue[Driver], room: Path, fault: str, counted: Counter[str]) -> Counter[int]:
    """Inject one fault at each call in turn; return how often the write ended in which way."""

    def one(call: str, when: int) -> int:
        place = copy(start.place, room / f"{call}-{when}")
        driver = drivers.get()
        try:
            arguments = ["-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={when}"]
            status = driver.run(place, start.number, strace=arguments)
        finally:
            drivers.put(driver)
        # A removal that the disk refuses leaves an orphan, which `gc` collects; nothing else does.
        tidy = fault == "signal=KILL" or not call.startswith("unlink")
        found = check(place, start, status, tidy=tidy)
        assert not found, (start.write.name, fault, call, when, status, found)
        shutil.rmtree(place)
        return status

    runs = [(call, when) for call, count in sorted(counted.items()) for when in range(1, count + 1)]
    with ThreadPoolExecutor(WORKERS) as pool:
        return Counter(pool.map(lambda run: one(*run), runs))


@pytest.mark.parametrize("number", range(len(SCRIPT)), ids=[f"{n}-{write.name}" for n, write in enumerate(SCRIPT)])
def test_killed_at_every_call(starts: tuple[Start, ...], drivers: Queue[Driver], number: int, tmp_path: Path) -> None:
    counted = calls_of(starts[number], drivers, tmp_path)
    ended = sweep(starts[number], drivers, tmp_path, "signal=KILL", counted)
    assert ended == {KILLED: sum(counted.values())}


@pytest.mark.parametrize("fault", ["error=EIO", "error=ENOSPC", "error=EINTR"])
@pytest.mark.parametrize("number", [0, 1, 3], ids=["init", "remember", "correct"])
def test_every_call_that_changes_something_fails(
    starts: tuple[Start, ...], drivers: Queue[Driver], number: int, fault: str, tmp_path: Path
) -> None:
    counted = calls_of(starts[number], drivers, tmp_path)
    changing = Counter({call: count for call, count in counted.items() if CHANGING.fullmatch(call)})
    if fault == "error=EIO":
        changing = counted
    ended = sweep(starts[number], drivers, tmp_path, fault, changing)
    assert ended[crash_driver.RAW] == ended[crash_driver.UNKNOWN] == 0
    if fault != "error=EINTR":  # the interpreter itself calls again where a signal came between
        assert ended[crash_driver.STORAGE] > 5
        # After the swap: its sync, and for a first index (a link, not a rename) taking the temporary name away.
        assert ended[crash_driver.WARNED] == (2 if number == 0 else 1)


def test_link_is_not_known_here(starts: tuple[Start, ...], drivers: Queue[Driver], tmp_path: Path) -> None:
    """Where there are no hard links, files are renamed into place, and killing at every call comes to the same."""
    start = starts[3]
    place = copy(start.place, tmp_path / "whole")
    driver = drivers.get()
    no_links = ["-o", "/dev/null", "-e", "trace=linkat,link", "-e", "inject=linkat,link:error=EPERM"]
    assert driver.run(place, start.number, strace=no_links) == crash_driver.COMMITTED
    assert not check(place, start, crash_driver.COMMITTED, tidy=True)
    for when in range(1, 12):
        place = copy(start.place, tmp_path / str(when))
        kill = [
            "-e",
            "trace=rename,renameat,renameat2",
            "-e",
            f"inject=rename,renameat,renameat2:signal=KILL:when={when}",
        ]
        driver.run(place, start.number, strace=[*no_links[:2], *kill, *no_links[4:]])
        assert not check(place, start, KILLED, tidy=True), when
    drivers.put(driver)


def test_files_cannot_grow_past_a_limit(starts: tuple[Start, ...], drivers: Queue[Driver], tmp_path: Path) -> None:
    """Real short writes: the system takes a part of each file that would pass the limit, and then refuses."""
    driver = drivers.get()
    ended: Counter[int] = Counter()
    for start in (starts[0], starts[3]):
        for limit in [*range(12), *range(12, 2400, 61)]:
            place = copy(start.place, tmp_path / f"{start.number}-{limit}")
            status = driver.run(place, start.number, limit=limit)
            ended[status] += 1
            found = check(place, start, status, tidy=True)
            assert not found, (start.write.name, limit, status, found)
            shutil.rmtree(place)
    drivers.put(driver)
    assert set(ended) == {crash_driver.STORAGE, crash_driver.COMMITTED}
    assert PROBE
