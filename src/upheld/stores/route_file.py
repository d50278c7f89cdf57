"""Where the route index of a place lies in this user's state folder: one file a place, mapped for reading.

The file is derived from the store and never trusted for content. It must still be this user's own: whoever could
write it could hide a key. Writing stands in ``stores.state_writer.write_private``.
"""

from __future__ import annotations

import os
import stat

from upheld.stores.place import mark_of

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
FOLDER = "routes"


def route_file(root: str, place: str) -> str:
    """Return the file of a place's route index below the state folder ``root``."""
    return os.path.join(root, FOLDER, mark_of(place) + ".route")


def mapped(file: str) -> memoryview | None:
    """Map a route index as it is now; None where there is none that this user alone can have written.

    The mapping lives as long as the view, or anything that was cast from it. A file that is replaced meanwhile stays
    what it was for whoever has mapped it.
    """
    try:
        descriptor = os.open(file, _FLAGS)
    except OSError:
        return None
    try:
        size = _size_of_own(os.fstat(descriptor))
        if not size:
            return None
        from mmap import ACCESS_READ, mmap

        return memoryview(mmap(descriptor, size, access=ACCESS_READ))
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _size_of_own(status: os.stat_result) -> int:
    """The size of a regular file of this user that nobody else can write; nought for any other."""
    if not stat.S_ISREG(status.st_mode):
        return 0
    if hasattr(os, "geteuid") and (status.st_uid not in (os.geteuid(), 0) or status.st_mode & 0o022):
        return 0
    return status.st_size
