"""Which store an event is about, without ever asking where this process stands unless nobody said."""

from __future__ import annotations

import os

from upheld.compose.library import Memory
from upheld.compose.location import VARIABLE, locate
from upheld.compose.state import state_root
from upheld.errors import NoStoreError
from upheld.stores.state_directory import is_pinned_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Asked


def memory_of(asked: Asked) -> Memory | None:
    """Return the memory that governs an event; None where there is neither a store nor a pin.

    The folder that the session was started for comes first: an agent that walks elsewhere does not leave its memory.

    Raises:
        NoStoreError: the environment names a store that is neither there nor pinned, or one that nobody pinned where
            a pinned one governs the folder.
        FaultError: the nearest store is a link.
        OSError: nobody says where we are, and the working directory is gone.
    """
    root = state_root(os.environ)
    named = os.environ.get(VARIABLE)
    for folder in asked.folders or (os.getcwd(),):
        if not (named or os.path.isabs(folder)):
            continue
        try:
            found = locate(None, os.environ, folder, lambda place: is_pinned_at(root, place))
        except NoStoreError:
            continue
        if named and not os.path.isdir(found.path) and not is_pinned_at(root, found.path):
            raise NoStoreError(f"{VARIABLE} names {found.path}, and no store is there")
        if named and not is_pinned_at(root, found.path):
            _refuse_exchange(found.path, folder, root)
        return Memory(path=found.path, why=found.why)
    return None


def _refuse_exchange(named: str, folder: str, root: str) -> None:
    """A project's own settings can set the variable: that must not silence what is pinned here."""
    try:
        here = locate(None, {}, folder, lambda place: is_pinned_at(root, place)).path
    except NoStoreError:
        return
    if is_pinned_at(root, here):
        raise NoStoreError(
            f"{VARIABLE} names {named}, which is not pinned, and the store that is pinned here is {here}"
        )
