"""What is kept of an instruction to find its like again: marks of its words, never the words."""

from __future__ import annotations

from upheld.model.value import Value

TEXT = 0
STATEMENT = 1
"""Two kinds of document: a served text, and one statement of a trigger (its sentence or an example)."""


class Document(Value):
    """One text reduced to what is looked up.

    Attributes:
        kind: ``TEXT`` or ``STATEMENT``.
        terms: 63-bit marks, one for each word that carries meaning.
        whole: the mark of all its words in their order; what is equal in it says the same word for word.
    """

    kind: int
    terms: frozenset[int]
    whole: int


class NearEntry(Value):
    """What is kept of one key: the place of its hash, what it was read from, its documents, and its ties' marks."""

    key: str
    hash: str
    mark: str
    documents: tuple[Document, ...]
    ties: frozenset[int] = frozenset()


class OddKey(Value):
    """A key that some file system takes for another: its hash, and what it folds to."""

    key: str
    hash: str
    folded: str


class NearHit(Value):
    """A document that shares words with what was looked up.

    Attributes:
        key: whose it is. size: how many terms it has. shared: how many of them were looked up and found.
        same: whether it is the same word for word.
    """

    key: str
    size: int
    shared: int
    same: bool
