"""What this user's client remembers of texts, as fingerprints only: what a person rejected, what was served here."""

from __future__ import annotations

from upheld.model.value import Value


class Rejection(Value):
    """A text that a person turned down: the proposal's id and key, when and why, and its sketch (never its text)."""

    id: str
    key: str
    at: str
    because: str
    sketch: frozenset[str] = frozenset()


class Remembered(Value):
    """All of it, for one place.

    Attributes:
        rejections: oldest first.
        served: fingerprints of what was served here, oldest first (``policy.shingles``).
    """

    rejections: tuple[Rejection, ...] = ()
    served: tuple[str, ...] = ()

    @property
    def sketches(self) -> tuple[frozenset[str], ...]:
        """The sketches alone."""
        return tuple(one.sketch for one in self.rejections)
