"""Run one program in a process group of its own, bounded, and leave nothing of it behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from upheld.model.value import Value

MARK = "UPHELD_ACCEPTANCE_RUN"
"""The variable that every process of a run carries, by which those that left the group are found."""


class Ran(Value):
    """What a program did.

    Attributes:
        code: its exit code; None where it was stopped because its time was up.
        out: its standard output.
        err: its standard error.
        seconds: how long it took.
    """

    code: int | None
    out: str
    err: str
    seconds: float


def run(
    argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], seconds: float, stdin: str = "", settle: float = 0.0
) -> Ran:
    """Run a program, stop it when its time is up, and end what is left of its group.

    Args:
        argv: the program and its arguments.
        cwd: where it runs.
        env: its whole environment.
        seconds: how long it may take.
        stdin: what it reads.
        settle: seconds that processes it left behind may take to end by themselves.
    """
    began = time.monotonic()
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        env={**env, MARK: mark},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    code: int | None
    try:
        out, err = process.communicate(stdin, timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        _end_group(process.pid)
        out, err = process.communicate()
        code = None
    _settle(mark, settle)
    _end_group(process.pid)
    for left in _marked(mark):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(left, signal.SIGKILL)
    return Ran(code=code, out=out, err=err, seconds=time.monotonic() - began)


def _settle(mark: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and _marked(mark):
        time.sleep(0.05)


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _marked(mark: str) -> list[int]:
    """The processes of this run that still live, by the variable that they inherited. Empty where there is no /proc."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
