"""Which other instructions say nearly what a corrected one said, and may need the same correction."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.policy.similar import likeness, read

ALIKE = 0.5
"""The share of words that carry meaning which two texts must have in common."""
MOST = 5


def siblings(text: str, others: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the keys of the most alike texts, most alike first.

    Args:
        text: what the corrected instruction said before.
        others: key and text of every other instruction.
    """
    own = read(text)
    scored = [(likeness(own, read(other)), key) for key, other in others]
    return tuple(key for score, key in sorted(scored, key=lambda pair: (-pair[0], pair[1])) if score >= ALIKE)[:MOST]
