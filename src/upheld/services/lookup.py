"""Find keys by what they have, without reading them all.

Two questions of a commit are about every other key: does one look like a new key to some file system (ATTACKS D4), and
what do others share with a trigger (``services.ties``). The near index of a large store answers both at the cost of a
look-up, and what it names is read from the store again; a small store, or one whose near index is not up to date, is
looked through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from upheld.errors import StorageError
from upheld.model.index import Pointer
from upheld.policy.collide import collisions, folded
from upheld.ports.near import Near
from upheld.services import current_instructions
from upheld.services.base import Base, Lookup
from upheld.services.every_key import all_keys, pointers
from upheld.services.near import catch_up
from upheld.services.ties import mark_of, ties_of


class Walk:
    """Looks through every key of the store."""

    def lookalikes(self, base: Base, key: str) -> tuple[str, ...]:
        """See ``Lookup.lookalikes``."""
        return tuple(other for _, other in collisions([key], all_keys(base)))

    def tied(self, base: Base, ties: frozenset[str]) -> tuple[Pointer, ...]:
        """See ``Lookup.tied``."""
        return tuple(pointer for pointer in pointers(base) if ties & ties_of(base.store, pointer))


class Indexed:
    """Asks the near index of a place.

    Args:
        near: the near index.
        late: whether it is time to stop reading in what it does not know yet.
    """

    def __init__(self, near: Near, late: Callable[[], bool]) -> None:
        self._near = near
        self._late = late

    def lookalikes(self, base: Base, key: str) -> tuple[str, ...]:
        """See ``Lookup.lookalikes``. Keys that we write are plain, so only a key of another form can be one."""
        named = self._asked(base, lambda: self._near.folding_to(folded(key)))
        if named is None:
            return Walk().lookalikes(base, key)
        return tuple(
            one for one in named if one != key and (base.pointer(one) is not None or base.retired(one) is not None)
        )

    def tied(self, base: Base, ties: frozenset[str]) -> tuple[Pointer, ...]:
        """See ``Lookup.tied``."""
        named = self._asked(base, lambda: self._near.tied(map(mark_of, ties)))
        if named is None:
            return Walk().tied(base, ties)
        found = (base.pointer(key) for key in named)
        return tuple(pointer for pointer in found if pointer is not None and ties & ties_of(base.store, pointer))

    def _asked(self, base: Base, question: Callable[[], Iterable[str]]) -> tuple[str, ...] | None:
        """Return what the near index answers; None where it is not worth it, not up to date, or cannot be used."""
        if sum(base.index.node.counts) <= current_instructions.MAX_COMPARED:
            return None
        try:
            return tuple(question()) if catch_up(base, self._near, self._late) else None
        except StorageError:
            return None


def lookup_of(base: Base) -> Lookup:
    """Return what finds keys in this version."""
    return base.lookup or Walk()
