"""What finds the instructions of a whole store that are like a text, without reading them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from upheld.model.near import Document, NearEntry, NearHit, OddKey


class Near(Protocol):
    """An index of one place, derived from its store and never trusted: what it names is read and verified again.

    It follows the store's own hash trie: a node whose digest it knows needs no second look, so bringing it up to date
    costs what has changed. Every call may raise ``StorageError``; whoever asks then goes without it.
    """

    def node(self, prefix: str) -> str | None:
        """Return the digest of the node at ``prefix`` that was read in whole; None where there is none."""
        ...

    def marks(self, prefix: str) -> Mapping[str, str]:
        """Return the mark of every key whose hash begins with ``prefix``."""
        ...

    def put(
        self, prefix: str, sha256: str, changed: Iterable[NearEntry], gone: Iterable[str], odd: Iterable[OddKey] = ()
    ) -> None:
        """Bring a leaf up to date, whole or not at all; what was known of nodes below it is forgotten.

        Args:
            prefix: the leaf's place.
            sha256: its digest.
            changed: entries that are new or read anew.
            gone: keys that are not there any more.
            odd: every key of the leaf, retired ones included, that folds to another name.
        """
        ...

    def folding_to(self, folded: str) -> tuple[str, ...]:
        """Return the odd keys that fold to a name."""
        ...

    def tied(self, ties: Iterable[int]) -> tuple[str, ...]:
        """Return the keys that have one of these ties."""
        ...

    def known(self, prefix: str, sha256: str) -> None:
        """Note that everything below an inner node is up to date."""
        ...

    def look(self, document: Document, most: int) -> tuple[list[NearHit], int]:
        """Return what may share half of its terms with ``document``, and how many terms were too common to look up.

        Args:
            document: what to find the like of.
            most: how many postings may be read; the rarest terms come first.
        """
        ...

    def count(self) -> int:
        """Return how many keys are known."""
        ...
