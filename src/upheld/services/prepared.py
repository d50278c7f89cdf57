"""A verb that has looked at the store and knows what it wants to do."""

from __future__ import annotations

from collections.abc import Callable

from upheld.model.change import Change
from upheld.model.value import Value
from upheld.services.base import Base


class Prepared(Value):
    """The plan of one verb.

    Attributes:
        plan: works the change out from the version under the lock; it names the base that was looked at, so that a key
            which moved meanwhile is a conflict.
        key: what it is about.
        notes: what the person should know before agreeing.
        hidden: names of files whose bytes are not to be shown.
    """

    plan: Callable[[Base], Change]
    key: str
    notes: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
