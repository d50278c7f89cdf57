"""Keys that some file system takes for a new one (ATTACKS D4).

Keys that we write are plain: no other plain key looks like one. So only a key of another form can, which a store that
was adopted may hold; and the near index keeps those by what they fold to, so that a new key costs one look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from upheld.errors import StorageError
from upheld.policy.collide import collisions, folded
from upheld.ports.near import Near
from upheld.services import current_instructions
from upheld.services.base import Base
from upheld.services.every_key import all_keys
from upheld.services.near import catch_up


def by_walk(base: Base, key: str) -> Iterable[str]:
    """Look through every key of the store."""
    return [other for _, other in collisions([key], all_keys(base))]


def by_index(base: Base, key: str, near: Near, late: Callable[[], bool]) -> Iterable[str]:
    """Ask the near index of a large store, once it is up to date; what it names is looked up in the store again.

    Args:
        base: the admitted version.
        key: a key that we would write.
        near: the near index of the place.
        late: whether it is time to stop reading in what the near index does not know yet.
    """
    if sum(base.index.node.counts) > current_instructions.MAX_COMPARED:
        try:
            if catch_up(base, near, late):
                named = near.folding_to(folded(key))
                return [
                    one
                    for one in named
                    if one != key and (base.pointer(one) is not None or base.retired(one) is not None)
                ]
        except StorageError:
            pass  # whatever is wrong with a derived file, the store itself can be asked
    return by_walk(base, key)
