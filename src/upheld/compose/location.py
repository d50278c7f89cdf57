"""Which store is meant: the one that was named, the one that the environment names, or the nearest one upward."""

from __future__ import annotations

import os

from upheld.errors import FaultError, NoStoreError
from upheld.model.value import Value

FOLDER = ".upheld"
VARIABLE = "UPHELD_STORE"


class Location(Value):
    """A store's folder, and why it was chosen."""

    path: str
    why: str


def locate(named: str | None, environ: dict[str, str] | os._Environ[str], start: str) -> Location:
    """Choose the store.

    Args:
        named: what ``--store`` says, or None.
        environ: the environment; ``UPHELD_STORE`` counts when nothing is named.
        start: where to begin looking upward for a ``.upheld`` folder.

    Raises:
        NoStoreError: nothing is named and no ``.upheld`` stands here or above.
        FaultError: STO003, the nearest ``.upheld`` is a link.
    """
    if named is not None:
        return Location(path=os.path.abspath(named), why="named with --store")
    if environ.get(VARIABLE):
        return Location(path=os.path.abspath(environ[VARIABLE]), why=f"named by {VARIABLE}")
    here = os.path.abspath(start)
    while True:
        path = os.path.join(here, FOLDER)
        if os.path.islink(path):
            raise FaultError("STO003", path, detail="a store that was not named must not be a link")
        if os.path.isdir(path):
            return Location(path=path, why=f"the nearest {FOLDER} upward from {start}")
        above = os.path.dirname(here)
        if above == here:
            raise NoStoreError(
                f"no store: no {FOLDER} folder here or above",
                help="make one with `upheld init`, or name one with `--store DIR`",
            )
        here = above
