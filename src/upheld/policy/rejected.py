"""Memory of rejected texts: enough to know one again, too little to read it.

A rejected text is kept as a sketch: fingerprints of runs of eight letters and digits, folded, without spaces and
punctuation, and without the spans that the screen marked. One changed space, case, accent of style or word leaves most
runs as they were. Which way round a text argues is not looked at: the opposite of a short rejected text may be held
up too, and a person lifts it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from upheld.policy.fold import fold, skeleton
from upheld.policy.shingles import fingerprint

RUN = 8
SKETCH = 256
ALIKE = 0.6


def _runs(text: str) -> set[str]:
    """Return the fingerprint of each run of ``RUN`` letters and digits."""
    bare = "".join(c for c in skeleton(fold(text)) if c.isalnum())
    return {fingerprint(bare[n : n + RUN]) for n in range(max(1, len(bare) - RUN + 1))} if bare else set()


def fingerprints(text: str, spans: Sequence[tuple[int, int]] = ()) -> frozenset[str]:
    """Return the sketch of a rejected text: at most ``SKETCH`` fingerprints.

    Args:
        text: the rejected text.
        spans: what to cut out before anything is computed (``Screening.spans``), so that no secret is kept, not even
            as a digest that could be guessed.
    """
    found: set[str] = set()
    at = 0
    for start, end in [*sorted(spans), (len(text), len(text))]:
        found |= _runs(text[at:start]) if start > at else set()
        at = max(at, end)
    return frozenset(heapq.nsmallest(SKETCH, found))


def is_rejected(text: str, rejected: Iterable[frozenset[str]]) -> bool:
    """Tell whether ``text`` holds most of a rejected text.

    Args:
        text: the new text.
        rejected: one sketch a rejected text, as ``fingerprints`` made them.
    """
    sketches = [sketch for sketch in rejected if sketch]
    if not sketches:
        return False
    runs = _runs(text)
    return any(len(sketch & runs) >= ALIKE * len(sketch) for sketch in sketches)
