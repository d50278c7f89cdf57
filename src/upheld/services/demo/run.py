"""Let new processes read copies of the demonstration's store, each spoilt in one way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from upheld.model.value import Value
from upheld.services.demo.cases import CASES, Case
from upheld.services.demo.spoil import Copy
from upheld.services.demo.store import KEY, NEIGHBOUR
from upheld.wire.digest import sha256_hex

_SECONDS = 60
_TEXTS = {KEY: "sources/release-notes-v2.md", NEIGHBOUR: "sources/support-hours-v1.md"}


class Trial(Value):
    """What one new process made of one copy.

    Attributes:
        case: what was done to the copy.
        command: the process's arguments, after the interpreter.
        inputs: what the process could read: digest of each file by name, ``link to ...`` for a link.
        exit_code: what it exited with.
        outcome: ``refused``, ``unsealed``, ``verified``; or ``crashed`` where it printed no outcome.
        code: the code of the refusal; empty where it was served.
        output: what it printed, byte for byte.
        problem: why this trial failed; empty where it passed.
        skipped: why the copy could not be made on this machine; empty where it could.
    """

    case: Case
    command: tuple[str, ...]
    inputs: Mapping[str, str]
    exit_code: int
    outcome: str
    code: str
    output: bytes
    problem: str
    skipped: str = ""


def write(files: Mapping[str, bytes], folder: Path) -> None:
    """Write a store's files into a new folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def trials(files: Mapping[str, bytes], folder: Path, today: str) -> Iterator[Trial]:
    """Try every case in turn, each on a copy of its own below ``folder``."""
    for case in CASES:
        copy = Copy(folder / case.name, today)
        write(files, copy.folder)
        yield _trial(case, copy, files)


def _trial(case: Case, copy: Copy, files: Mapping[str, bytes]) -> Trial:
    command = recall_command(case.key, copy.folder, unsealed=case.unsealed)
    try:
        case.spoil(copy)
    except OSError as error:  # a link, where the platform keeps these to itself
        return Trial(
            case=case, command=command, inputs={}, exit_code=0, outcome="", code="", output=b"", problem="",
            skipped=f"this machine does not allow it ({error.strerror})",
        )  # fmt: skip
    inputs = digests(copy.folder)
    done = subprocess.run(  # noqa: S603 - this interpreter, with arguments of ours
        [sys.executable, *command],
        cwd=copy.folder.parent,
        env={name: value for name, value in os.environ.items() if not name.startswith("UPHELD_")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_SECONDS,
        check=False,
    )
    said = _said(done.stdout)
    return Trial(
        case=case,
        command=command,
        inputs=inputs,
        exit_code=done.returncode,
        outcome=str(said.get("outcome", "crashed")),
        code=str(said.get("code", "")),
        output=done.stdout,
        problem=_problem(case, done.returncode, said, files[_TEXTS[case.key]].decode()),
    )


def recall_command(key: str, store: Path, *, unsealed: bool = True) -> tuple[str, ...]:
    """Return the arguments of a new process that recalls a key; ``-P`` keeps its working directory off its path."""
    switch = ("--unsealed",) if unsealed else ()
    return ("-P", "-m", "upheld", "recall", key, "--store", str(store), *switch, "--format", "json")


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


def _problem(case: Case, exit_code: int, said: Mapping[str, object], text: str) -> str:
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
    return "" if said.get("text") == text else "another text was served"
