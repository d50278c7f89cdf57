"""Which store is meant: the one that was named, the one that the environment names, or the nearest one upward."""

from __future__ import annotations

import os

from upheld.errors import FaultError, NoStoreError
from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FOLDER = ".upheld"
VARIABLE = "UPHELD_STORE"


class Location(Value):
    """A store's folder, and why it was chosen. Where a store is pinned, the folder need not be there."""

    path: str
    why: str


def locate(
    named: str | None,
    environ: Mapping[str, str],
    start: str,
    is_pinned: Callable[[str], bool] = lambda path: False,
) -> Location:
    """Choose the store.

    A place where a store is pinned counts even when its folder is gone: the search stops there, so that a store that
    was removed is refused, and never quietly exchanged for none, or for one further up (ATTACKS A18c).

    Args:
        named: what ``--store`` says, or None.
        environ: the environment; ``UPHELD_STORE`` counts when nothing is named.
        start: where to begin looking upward for a ``.upheld`` folder.
        is_pinned: whether a store is pinned at a path.

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
        if is_pinned(path):
            return Location(path=path, why="a store is pinned here, and its folder is gone")
        above = os.path.dirname(here)
        if above == here:
            raise NoStoreError(
                f"no store: no {FOLDER} folder here or above",
                help="make one with `upheld init`, or name one with `--store DIR`",
            )
        here = above
