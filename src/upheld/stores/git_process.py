"""Run one program and never wait for it longer, or read more of it, than was agreed. No shell."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from upheld.errors import StorageError
from upheld.model.value import Value

_COMPLAINT_LIMIT = 4096


class Outcome(Value):
    """How a program ended: its exit code, what it printed, and the end of its complaint."""

    code: int
    output: bytes
    complaint: str


class Call(Value):
    """What to run.

    Attributes:
        arguments: the program and its arguments.
        environment: its whole environment; nothing is inherited.
        folder: its working directory.
        data: its standard input.
        limit: the most bytes of output to accept.
        seconds: how long it may take.
        keeps_terminal: it may ask the person at the terminal (a passphrase of ssh); otherwise it has none.
    """

    arguments: Sequence[str]
    environment: Mapping[str, str]
    folder: str
    data: bytes = b""
    limit: int
    seconds: float
    keeps_terminal: bool = False


def run(call: Call) -> Outcome:
    """Run a program to its end.

    Raises:
        StorageError: it cannot be started, took too long, or printed too much.
    """
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as complaints:
        source.write(call.data)
        source.seek(0)
        with started(call, source, complaints) as (process, clock):
            output = _bounded(process, call)
            code = process.wait()
        if clock.is_over:
            raise StorageError(f"`{_named(call)}` took longer than {call.seconds:g} s and was ended")
        return Outcome(code=code, output=output, complaint=_tail(complaints))


class Deadline:
    """Ends a process, and what it started, when its time is over."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, *, is_group: bool) -> None:
        self.is_over = False
        self._process = process
        self._is_group = is_group
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Stop the clock."""
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        end(self._process, is_group=self._is_group)


def end(process: subprocess.Popen[bytes], *, is_group: bool) -> None:
    """End a process of ours that is still running; with ``is_group`` also what it started."""
    if process.poll() is not None:
        return
    with contextlib.suppress(OSError):
        if is_group and hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


@contextlib.contextmanager
def started(
    call: Call, source: IO[bytes] | int, complaints: IO[bytes] | int
) -> Iterator[tuple[subprocess.Popen[bytes], Deadline]]:
    """Start a program under a deadline; it is ended when the block is left.

    Raises:
        StorageError: it cannot be started.
    """
    is_group = not call.keeps_terminal
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell; every argument is ours or was judged
            list(call.arguments),
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=dict(call.environment),
            cwd=call.folder,
            start_new_session=is_group,
            close_fds=True,
        )
    except OSError as error:
        raise StorageError(f"`{_named(call)}` cannot be started: {os.strerror(error.errno or 0)}") from None
    clock = Deadline(process, call.seconds, is_group=is_group)
    try:
        yield process, clock
    finally:
        clock.cancel()
        end(process, is_group=is_group)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()


def _bounded(process: subprocess.Popen[bytes], call: Call) -> bytes:
    if process.stdout is None:
        raise AssertionError("its output is a pipe")
    output = process.stdout.read(call.limit + 1)
    if len(output) > call.limit:
        raise StorageError(f"`{_named(call)}` printed more than {call.limit} bytes and was ended")
    return output


def _named(call: Call) -> str:
    program = os.path.basename(call.arguments[0])
    verb = next((word for word in call.arguments[1:] if word[:1] not in ("-", "") and "=" not in word), "")
    return f"{program} {verb}".rstrip()


def _tail(complaints: IO[bytes]) -> str:
    size = complaints.seek(0, os.SEEK_END)
    complaints.seek(max(0, size - _COMPLAINT_LIMIT))
    return complaints.read(_COMPLAINT_LIMIT).decode("utf-8", "replace").strip()
