"""One writer at a time: an advisory lock that the system drops when its holder dies."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from upheld.errors import BusyError, StorageError
from upheld.stores.files import close_quietly

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_HELD = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
_POLL = 0.01


def _exclusive() -> Callable[[int], None] | None:
    """Return what takes the lock on a descriptor without waiting, or None where the platform has nothing for it."""
    try:
        import fcntl
    except ImportError:
        pass
    else:
        return lambda descriptor: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        import msvcrt
    except ImportError:
        return None
    locking, mode = getattr(msvcrt, "locking"), getattr(msvcrt, "LK_NBLCK")  # noqa: B009 - absent off Windows
    return lambda descriptor: locking(descriptor, mode, 1)


@contextmanager
def locked(path: str, seconds: float) -> Iterator[bool]:
    """Hold the lock file at ``path``; yield whether the platform really excludes others.

    Raises:
        BusyError: somebody else held it for all of ``seconds``.
        StorageError: the lock file cannot be opened.
    """
    take = _exclusive()
    try:
        descriptor = os.open(path, _FLAGS, 0o644)
    except OSError as error:
        raise StorageError(f"cannot open the lock {path}: {os.strerror(error.errno or 0)}") from None
    try:
        yield take is not None and _wait(take, descriptor, path, seconds)
    finally:
        # A commit may stand already; what closing the lock reports must not turn it into a failure.
        close_quietly(descriptor)


def _wait(take: Callable[[int], None], descriptor: int, path: str, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        try:
            take(descriptor)
        except OSError as error:
            if error.errno in _UNSUPPORTED:
                return False
            if error.errno not in _HELD:
                raise StorageError(f"cannot lock {path}: {os.strerror(error.errno or 0)}") from None
            if time.monotonic() >= deadline:
                raise BusyError(
                    f"another writer has held {path} for {seconds:g} s", help="try again when it is done"
                ) from None
            time.sleep(_POLL)
        else:
            return True
