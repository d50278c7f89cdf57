"""Shingles: runs of words as fingerprints, so that texts can be compared without being kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from upheld.policy.fold import words

SHINGLE_WORDS = 5


def shingles(found: Sequence[str], size: int = SHINGLE_WORDS) -> Iterator[str]:
    """Yield each run of ``size`` words; a shorter text is one shingle, an empty one is none."""
    if found:
        for start in range(max(1, len(found) - size + 1)):
            yield " ".join(found[start : start + size])


def fingerprint(piece: str) -> str:
    """Return 16 hex digits that stand for ``piece``."""
    return hashlib.blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def fingerprints(text: str) -> frozenset[str]:
    """Return the fingerprints of every shingle of ``text``: what a reader keeps of a served text."""
    return frozenset(map(fingerprint, shingles(words(text))))
