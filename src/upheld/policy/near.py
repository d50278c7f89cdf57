"""Which instructions are worth reading before a text is judged: those that may turn out to be its like.

Pure sums over marks of words. What is chosen here is read and verified before anything is said about it, so a choice
too many costs one read; the bounds below are those of ``policy.similar``, ``policy.screen.echo`` and
``policy.screen.takeover``, so that nothing which those would find is left out.
"""

from __future__ import annotations

import hashlib

from upheld.model.near import STATEMENT, TEXT, Document, NearHit
from upheld.policy.fold import words
from upheld.policy.similar import content_words, read

_RELATED = 0.5
_COVERED = 0.8
_REPEATED = 0.6
_QUOTED = 15
"""A row of so many runs of five words is an echo however long the text around it is (``policy.screen.echo``)."""


def text_document(text: str) -> Document:
    """Reduce a served text."""
    found = read(text)
    return _document(TEXT, found.content, " ".join(found.order))


def statement_document(text: str) -> Document:
    """Reduce one statement of a trigger."""
    return _document(STATEMENT, content_words(text), " ".join(words(text)))


def closeness(mine: Document, hit: NearHit, skipped: int) -> float:
    """Return how alike two documents can be at most, 0 to 1; 0 where no check would say anything of them.

    Args:
        mine: what was looked up.
        hit: what was found.
        skipped: how many terms of ``mine`` are too common to have been looked up; each may be shared as well.
    """
    if hit.same:
        return 1.0
    one, other = len(mine.terms), hit.size
    shared = min(hit.shared + skipped, one, other)
    least = min(one, other)
    if not shared:
        return 0.0
    alike = shared / (one + other - shared)
    if mine.kind == STATEMENT:
        return alike if shared >= _COVERED * other else 0.0
    is_one_word_apart = one == other == shared + 1
    is_part = shared >= _REPEATED * least or shared >= _QUOTED
    return alike if alike >= _RELATED or is_one_word_apart or is_part else 0.0


def _document(kind: int, content: frozenset[str], whole: str) -> Document:
    sign = "s" if kind == STATEMENT else "t"
    return Document(
        kind=kind, terms=frozenset(_mark(f"{sign}:{word}") for word in content), whole=_mark(f"{sign}={whole}")
    )


def _mark(piece: str) -> int:
    digest = hashlib.blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
