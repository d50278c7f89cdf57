"""Where the route index of a place lies in this user's state folder: a head, and a folder of segments, all mapped.

The files are derived from the store and never trusted for content. They must still be this user's own: whoever could
write them could hide a key. Writing stands in ``stores.route_writer``. The table of words ships with the program.
"""

from __future__ import annotations

import os
import stat

from upheld.routing.index import Index
from upheld.routing.lexicon import Lexicon
from upheld.routing.router import open_index
from upheld.stores.place import mark_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Route

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
FOLDER = "routes"
_ATTEMPTS = 3


def route_file(root: str, place: str) -> str:
    """Return the file of a place's route index below the state folder ``root``."""
    return os.path.join(root, FOLDER, mark_of(place) + ".route")


def segment_folder(file: str) -> str:
    """Return the folder of the segments of the route index whose head is ``file``."""
    return f"{file}s"


def opened(file: str, digest: bytes | None = None) -> Index | Route | None:
    """Open the route index whose head is ``file``, as it is now.

    Args:
        file: the head.
        digest: of the sealed index that it must have been built for; None for any.

    Returns:
        The index; an ``unchecked`` route that says why it cannot be used; None where there is none.
    """
    found: Index | Route | None = None
    folder = segment_folder(file)
    for _ in range(_ATTEMPTS):
        raw = mapped(file)
        if raw is None:
            return None
        found = open_index(
            raw,
            digest=digest,
            whole=False,  # what is read is held to its sums as it is read; all of it would cost more than the routing
            lexicon=shipped_lexicon(),
            segments=lambda name, length: _segment(os.path.join(folder, name.hex()), length),
        )
        if isinstance(found, Index):
            break  # else a writer may have replaced a segment that this head still names
    return found


_KEPT: dict[str, tuple[tuple[int, ...], Index]] = {}
_MOST_KEPT = 4


def kept(file: str, digest: bytes) -> Index | Route | None:
    """Open as ``opened`` does, and keep what was opened for the next call of this process.

    What is kept is used again only while the head is still the very file that was mapped (same inode, size, times,
    owner and mode) and was built for this digest. On Windows nothing is kept: a mapped file cannot be replaced there.
    """
    before = _identity(file)
    found = _KEPT.get(file)
    if found is not None and found[0] == before and found[1].digest == digest:
        return found[1]
    _KEPT.pop(file, None)
    index = opened(file, digest)
    if os.name == "posix" and isinstance(index, Index) and before and _identity(file) == before:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[file] = (before, index)
    return index


def _identity(file: str) -> tuple[int, ...]:
    try:
        found = os.lstat(file)
    except OSError:
        return ()
    whose = (found.st_mode, found.st_uid)
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, *whose)


def _segment(file: str, length: int) -> memoryview | None:
    view = mapped(file)
    return view if view is not None and len(view) == length else None


_LEXICON: list[Lexicon] = []


def shipped_lexicon() -> Lexicon:
    """Return the table of words that ships with the program; the one of no words where this machine cannot read it."""
    if not _LEXICON:
        _LEXICON.append(_read_lexicon())
    return _LEXICON[0]


def _read_lexicon() -> Lexicon:
    try:
        descriptor = os.open(os.path.join(os.path.dirname(__file__), "words.lexicon"), _FLAGS)
    except OSError:
        return Lexicon()
    try:
        from mmap import ACCESS_READ, mmap

        return Lexicon(memoryview(mmap(descriptor, 0, access=ACCESS_READ)))
    except (OSError, ValueError):
        return Lexicon()
    finally:
        os.close(descriptor)


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
