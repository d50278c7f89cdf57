"""Let new processes read copies of the demonstration's stores, each spoilt in one way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from upheld.model.value import Value
from upheld.services.demo.case import Case
from upheld.services.demo.cases import CASES
from upheld.services.demo.spoil import Copy, Files, write_files
from upheld.services.demo.store import TEXTS
from upheld.wire.digest import sha256_hex

_SECONDS = 60
_AT_ONCE = 2
"""How many new processes read at a time."""


class Surroundings(Value):
    """What the trials need from outside.

    Attributes:
        snapshots: every store that is copied or put in the place of a copy, by name.
        environ: makes the environment of a process whose home is the given folder.
        state: gives the folder of what such a process remembers.
        pin: makes a store trusted by the readers of the given home, as a person would who compared its root digest.
        today: the day the stores were built for.
    """

    snapshots: Mapping[str, Files]
    environ: Callable[[Path], Mapping[str, str]]
    state: Callable[[Path], Path]
    pin: Callable[[Path, Path], None]
    today: str


class Trial(Value):
    """What one new process made of one copy.

    Attributes:
        case: what was done to the copy.
        command: the process's arguments, after the interpreter.
        inputs: what the process could read, the store and what it remembers of it: digest of each file by name,
            ``link to ...`` for a link.
        exit_code: what it exited with.
        outcome: ``refused``, ``unsealed``, ``verified``; or ``crashed`` where it printed no outcome.
        code: the code of the refusal; empty where it was served.
        output: what it printed, byte for byte.
        problem: why this trial failed; empty where it passed.
        skipped: why the copy could not be made on this machine; empty where it could.
    """

    case: Case
    command: tuple[str, ...]
    inputs: Mapping[str, str] = {}
    exit_code: int = 0
    outcome: str = ""
    code: str = ""
    output: bytes = b""
    problem: str = ""
    skipped: str = ""


def trials(folder: Path, around: Surroundings) -> Iterator[Trial]:
    """Try every case, each on a copy of its own below ``folder``; yield them in the order of the list."""
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        yield from pool.map(lambda case: _trial(case, folder / case.name, around), CASES)


def lay(case: Case, place: Path, around: Surroundings) -> Copy:
    """Lay out the copy of a case before it is spoilt: ``store`` and ``home``, which remembers it."""
    store, home = place / "store", place / "home"
    write_files(around.snapshots[case.start], store)
    home.mkdir()
    if case.is_sealed:
        around.pin(store, home)
    return Copy(store, around.today, around.snapshots, around.state(home))


def _trial(case: Case, place: Path, around: Surroundings) -> Trial:
    copy = lay(case, place, around)
    command = recall_command(case.key, copy.folder, unsealed=case.unsealed)
    try:
        case.spoil(copy)
    except OSError as error:  # a link, where the platform keeps these to itself
        return Trial(case=case, command=command, skipped=f"this machine does not allow it ({error.strerror})")
    inputs = digests(place)
    done = process(command, place, around.environ(place / "home"))
    said = _said(done.stdout)
    return Trial(
        case=case,
        command=command,
        inputs=inputs,
        exit_code=done.returncode,
        outcome=str(said.get("outcome", "crashed")),
        code=str(said.get("code", "")),
        output=done.stdout,
        problem=_problem(case, done.returncode, said),
    )


def process(command: tuple[str, ...], folder: Path, environ: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run this interpreter anew and wait for it; both its outputs are one."""
    return subprocess.run(  # noqa: S603 - this interpreter, with arguments of ours
        [sys.executable, *command],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_SECONDS,
        check=False,
    )


def recall_command(key: str, store: Path, *, unsealed: bool = False, form: str = "json") -> tuple[str, ...]:
    """Return the arguments of a new process that recalls a key; ``-P`` keeps its working directory off its path."""
    switch = ("--unsealed",) if unsealed else ()
    return ("-P", "-m", "upheld", "recall", key, "--store", str(store), *switch, "--format", form)


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of every file below a folder by name, sorted; a link is named, not followed."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"link to {path.readlink().name}"
        elif path.is_file():
            found[name] = sha256_hex(path.read_bytes())
    return found


def _said(output: bytes) -> dict[str, object]:
    try:
        value = json.loads(output)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _problem(case: Case, exit_code: int, said: Mapping[str, object]) -> str:
    """Say what is wrong with what the process did; nothing where it did what the case expects."""
    outcome, code = said.get("outcome"), said.get("code", "")
    if case.expect:
        if outcome in ("verified", "unsealed"):
            return "it was served"
        if outcome != "refused" or exit_code != 4:
            return f"it neither served nor refused (exit {exit_code})"
        return "" if code in case.expect else f"it was refused as {code}, expected {' or '.join(case.expect)}"
    if outcome == "refused":
        return f"it was refused as {code}"
    if outcome not in ("verified", "unsealed") or exit_code != 0:
        return f"it neither served nor refused (exit {exit_code})"
    if outcome != ("verified" if case.is_sealed else "unsealed"):
        return f"it was served as {outcome}"
    return "" if said.get("text") == TEXTS[case.key] else "another text was served"
