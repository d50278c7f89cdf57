"""Make the folder of a new store."""

from __future__ import annotations

import os

from upheld.errors import StorageError, UsageError


def make_place(path: str) -> None:
    """Make a folder and those above it, durably; one that is there is left as it is.

    Raises:
        UsageError: a file or a link bears the name.
        StorageError: the folder cannot be made.
    """
    if os.path.islink(path) or (os.path.lexists(path) and not os.path.isdir(path)):
        raise UsageError(f"{path} is there and is no folder", help="name another place: `upheld init DIR`")
    try:
        missing = []
        here = path
        while not os.path.isdir(here):
            missing.append(here)
            here = os.path.dirname(here)
        os.makedirs(path, exist_ok=True)
        for made in missing:
            _sync(os.path.dirname(made))
    except OSError as error:
        raise StorageError(f"{path} cannot be made: {os.strerror(error.errno or 0)}") from None


def _sync(folder: str) -> None:
    """Make the names in a folder durable, where folders can be opened for that."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
