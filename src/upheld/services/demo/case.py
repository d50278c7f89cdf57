"""What one case of the demonstration is."""

from __future__ import annotations

from collections.abc import Callable

from upheld.model.value import Value
from upheld.services.demo.spoil import Copy
from upheld.services.demo.store import KEY

SEALED = "sealed"
ARTICLE = "article"
"""The store as Upheld writes it, and the same instructions in the article's form, which nobody sealed."""


class Case(Value):
    """One copy of the store and what becomes of it.

    Attributes:
        group: the heading that the case stands under.
        name: a short name, unique, fit for a folder.
        did: what was done, for a reader.
        spoil: does it.
        expect: the codes that may refuse it; empty where it must be served.
        key: the key that the new process asks for.
        start: which store is copied, by its name among the snapshots; ``ARTICLE`` has no seal, all others are sealed
            and pinned before they are spoilt.
        unsealed: whether the new process is given ``--unsealed``.
    """

    group: str
    name: str
    did: str
    spoil: Callable[[Copy], object]
    expect: tuple[str, ...]
    key: str = KEY
    start: str = SEALED
    unsealed: bool = False

    @property
    def is_sealed(self) -> bool:
        """Whether the store that is copied is sealed, and pinned where it is copied to."""
        return self.start != ARTICLE
