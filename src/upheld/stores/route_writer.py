"""Put a route index in place: segments first, the head last, then what nothing names any more goes.

A process that dies on the way leaves the old head with its segments, or the new one. One writer at a time: another
would take away segments that this one has written and not named yet.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from upheld.errors import StorageError
from upheld.stores.route_file import segment_folder
from upheld.stores.state_writer import write_private


@contextmanager
def writing(file: str) -> Iterator[None]:
    """Hold the route index whose head is ``file`` for one writer.

    Raises:
        StorageError: the folder or the lock cannot be made.
    """
    try:
        os.makedirs(segment_folder(file), mode=0o700, exist_ok=True)
        descriptor = os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StorageError(f"the route index cannot be written: {os.strerror(error.errno or 0)}") from None
    try:
        _hold(descriptor)
        yield
    finally:
        os.close(descriptor)


def _hold(descriptor: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: two writers at once may leave the index missing, which is said and mended
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)


def put(file: str, head: bytes, segments: Mapping[str, bytes], named: frozenset[str]) -> None:
    """Write an index; the caller holds it.

    Args:
        file: the head's file.
        head: its bytes.
        segments: new segments by name.
        named: every segment that the head takes from a file; the others are deleted.

    Raises:
        StorageError: it cannot be written. The old index stands, or none.
    """
    folder = segment_folder(file)
    try:
        for name, data in segments.items():
            write_private(os.path.join(folder, name), data)
        write_private(file, head)
        for name in os.listdir(folder):
            if name not in named:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(folder, name))
    except OSError as error:
        raise StorageError(f"the route index cannot be written: {os.strerror(error.errno or 0)}") from None
