"""Do independent shares of work in forked processes, and take their results over pipes.

A process that does not deliver its whole result is an error, never a share without findings.
"""

from __future__ import annotations

import gc
import os
import signal
import struct
import threading
import traceback
from selectors import EVENT_READ, DefaultSelector
from typing import TYPE_CHECKING, TypeVar

from upheld.errors import UpheldError
from upheld.model.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Tell = Callable[[int], None]

Part = TypeVar("Part")

_HEADER = struct.Struct("<cQ")
_PROGRESS, _RESULT, _ERROR = b"P", b"R", b"E"
_TELL_EVERY = 512
_SELDOM = (50_000, 20, 20)
"""When a child looks for circles among its objects: what it makes goes by itself, a leaf at a time."""


class _Child(Value):
    pid: int
    pipe: int


def can_fork() -> bool:
    """Whether this process may fork: the platform can, and no other thread could hold a lock meanwhile."""
    return hasattr(os, "fork") and threading.active_count() == 1


def in_processes(
    work: Callable[[list[Part], Tell], bytes],
    parts: list[Part],
    count: int,
    tell: Tell,
    meanwhile: Callable[[], None] = lambda: None,
) -> Iterator[bytes]:
    """Deal ``parts`` out to ``count`` processes and yield what each makes of its share.

    Args:
        work: what to do with one share; it gets a function to tell how far it is.
        parts: what to deal out, like cards, so that shares are of one size.
        count: how many processes.
        tell: called here with how far all of them are together.
        meanwhile: what to do here, once, while they are at work.

    Raises:
        UpheldError: a process ended without a whole result.
    """
    gc.freeze()  # a collection in a child would touch, and so copy, every page that it shares with this process
    shares = [share for share in (parts[number::count] for number in range(count)) if share]
    children: list[_Child] = []
    try:
        for share in shares:
            children.append(_started(work, share))
        meanwhile()
        yield from _collected(children, tell)
    finally:
        for child in children:
            os.close(child.pipe)
            _ended(child.pid)
        gc.unfreeze()


def _started(work: Callable[[list[Part], Tell], bytes], share: list[Part]) -> _Child:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return _Child(pid=pid, pipe=reading)
    os.close(reading)
    _be_child(work, share, writing)
    raise AssertionError("a child never gets here")


def _be_child(work: Callable[[list[Part], Tell], bytes], share: list[Part], pipe: int) -> None:
    """Do the work, write the result, and leave without running anything that belongs to the parent."""
    told = 0
    gc.set_threshold(*_SELDOM)

    def tell(done: int) -> None:
        nonlocal told
        if done - told >= _TELL_EVERY:
            told = done
            _send(pipe, _PROGRESS, struct.pack("<Q", done))

    try:
        _send(pipe, _RESULT, work(share, tell))
    except BaseException:  # noqa: BLE001 - the boundary of a process: whatever it is, the parent says it
        _send(pipe, _ERROR, traceback.format_exc().encode("utf-8", "backslashreplace"))
        os._exit(1)
    os._exit(0)


def _send(pipe: int, kind: bytes, payload: bytes) -> None:
    data = memoryview(_HEADER.pack(kind, len(payload)) + payload)
    while data:
        data = data[os.write(pipe, data) :]


def _collected(children: list[_Child], tell: Tell) -> Iterator[bytes]:
    buffers = {child.pipe: bytearray() for child in children}
    done = dict.fromkeys(buffers, 0)
    results: dict[int, bytes] = {}
    with DefaultSelector() as selector:
        for pipe in buffers:
            selector.register(pipe, EVENT_READ)
        while len(results) < len(children):
            for key, _ in selector.select():
                pipe = key.fd
                data = os.read(pipe, 1 << 16)
                if not data:
                    selector.unregister(pipe)
                    if pipe not in results:
                        raise UpheldError("internal: a process that did part of the work ended without a result")
                    continue
                buffers[pipe] += data
                for kind, payload in _frames(buffers[pipe]):
                    if kind == _ERROR:
                        raise UpheldError(f"internal: a process that did part of the work failed:\n{payload.decode()}")
                    if kind == _RESULT:
                        results[pipe] = payload
                        continue
                    done[pipe] = struct.unpack("<Q", payload)[0]
                    tell(sum(done.values()))
    yield from (results[child.pipe] for child in children)


def _frames(buffer: bytearray) -> Iterator[tuple[bytes, bytes]]:
    """Take whole frames off the front of ``buffer``."""
    while len(buffer) >= _HEADER.size:
        kind, size = _HEADER.unpack_from(buffer)
        end = _HEADER.size + size
        if len(buffer) < end:
            return
        payload = bytes(buffer[_HEADER.size : end])
        del buffer[:end]
        yield kind, payload


def _ended(pid: int) -> None:
    """Reap a child; one that is still at work (because another failed, or the caller stopped) is ended first."""
    if os.waitpid(pid, os.WNOHANG)[0]:
        return
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
