"""Which place a store's folder is, for the trusted state.

A place is a git common directory and the store's path in the work tree, so that all work trees of a repository share
one state; outside git it is the real path. A ``.git`` file counts only if the directory that it names points back at
it: otherwise anybody who can write the work tree could move a store to another place by planting one.
"""

from __future__ import annotations

import os

from upheld.wire.digest import sha256_hex

_LIMIT = 4096


def place_of(path: str) -> str:
    """Return the place of the store in ``path``. The folder need not be there."""
    real = os.path.realpath(path)
    here = os.path.dirname(real)
    while True:
        common = common_directory(here)
        if common:
            return f"git:{common}:{os.path.relpath(real, here)}"
        above = os.path.dirname(here)
        if above == here:
            return f"path:{real}"
        here = above


def common_directory(tree: str) -> str:
    """Return the git common directory of a work tree whose top is ``tree``, or nothing where it is none."""
    mark = os.path.join(tree, ".git")
    if os.path.isdir(mark) and not os.path.islink(mark):
        return mark if os.path.isfile(os.path.join(mark, "HEAD")) else ""
    target = _first_line(mark)
    if not target.startswith("gitdir: "):
        return ""
    directory = os.path.realpath(os.path.join(tree, target[len("gitdir: ") :]))
    if _first_line(os.path.join(directory, "gitdir")) not in (mark, os.path.realpath(mark)):
        return ""
    common = _first_line(os.path.join(directory, "commondir"))
    return os.path.realpath(os.path.join(directory, common)) if common else directory


def _first_line(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    try:
        return os.read(descriptor, _LIMIT).decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def mark_of(text: str) -> str:
    """Return the file name that stands for a place or a path in the state folder."""
    return sha256_hex(os.fsencode(text))[:40]
