"""Many small files of one open folder, each in three system calls, for whoever reads all of a store."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from upheld.model.names import PLAIN, RESERVED_STARTS, is_plain

if TYPE_CHECKING:
    from collections.abc import Callable

_SLAB = 16 * 1024
"""How much is asked for at once, in bytes; nearly every record and source is smaller."""


def folder_reader(folder: int, limit: int, flags: int) -> Callable[[str], bytes | None]:
    """Return what ``ReadsFolders.reader`` promises.

    Nothing asks for the type of what was opened. A link is not opened and a pipe does not block, by ``flags``; a pipe,
    a socket and a folder cannot be read from a given place, as ``pread`` does it. That leaves devices.

    Args:
        folder: the folder's descriptor; it stays the caller's.
        limit: the largest size in bytes.
        flags: what to open with: never following a link, never blocking.
    """
    open_at, pread, close, slab = os.open, os.pread, os.close, min(_SLAB, limit + 1)

    def read(leaf: str) -> bytes | None:
        try:
            # What `is_plain` says, in fewer steps; what is empty or too long, the system refuses.
            is_safe = leaf.isascii() and not leaf.encode().translate(None, PLAIN) and leaf[-1:] != "."
            if not is_safe or (leaf[:3].lower() in RESERVED_STARTS and not is_plain(leaf)):
                return None
            descriptor = open_at(leaf, flags, dir_fd=folder)
            try:
                # Less than was asked for is the whole file: whatever else it might be, its digest is going to tell.
                data = pread(descriptor, slab, 0)
                return data if len(data) < slab else _longer(descriptor, data, limit)
            finally:
                close(descriptor)
        except OSError:
            return None

    return read


def _longer(descriptor: int, data: bytes, limit: int) -> bytes | None:
    """Read on behind a first slab, to the end of the file."""
    parts, total = [data], len(data)
    while parts[-1] and total <= limit:
        parts.append(os.pread(descriptor, limit + 1 - total, total))
        total += len(parts[-1])
    return b"".join(parts) if total <= limit else None
