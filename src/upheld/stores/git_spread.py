"""Where a file of the store lies in the trees of a history: growing folders are spread over a trie of folders.

Git writes a whole tree object for each folder that a commit touches. Flat, ``records/`` of 300,000 files would be
27 MB written anew by every commit; spread over 16 x 16 x 16 folders it is four small ones, at any size. Only history
does so, and only in its trees: names are what they are everywhere else, and a published branch is flat, since a
check-out of it is a store.

Both forms are read from any commit. Whoever writes a name in one form takes it out of the other, so that a history
begun before this, which was flat, goes on.
"""

from __future__ import annotations

from zlib import crc32

_GROWING = frozenset({"index", "log", "records", "seals", "sources", "triggers", "trust"})


def spread(name: str) -> str:
    """Return the path at which a history keeps a file of this name."""
    folder, _, leaf = name.partition("/")
    return f"{folder}/{_steps(leaf)}/{leaf}" if folder in _GROWING and leaf and "/" not in leaf else name


def name_of(path: str) -> str:
    """Return the name of the file at a path of either form; a path that neither makes is a name of its own."""
    folder, _, rest = path.partition("/")
    steps, _, leaf = rest.rpartition("/")
    return f"{folder}/{leaf}" if steps and folder in _GROWING and steps == _steps(leaf) else path


def _steps(leaf: str) -> str:
    return "/".join(f"{crc32(leaf.encode('utf-8', 'surrogateescape')) & 0xFFF:03x}")
