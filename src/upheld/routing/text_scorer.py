"""What may stand in for the core text layer: the shape that the ``[semantic]`` extra implements. For type checkers."""

from __future__ import annotations

from typing import Protocol


class TextScorer(Protocol):
    """Scores a text against the keys of one version of one store. It gives figures; the router decides."""

    @property
    def limit(self) -> float:
        """The probability from which a text alone matches; ``UNCALIBRATED`` for never."""

    def score(self, text: str, barred: frozenset[str]) -> tuple[list[tuple[str, float]], float]:
        """Score a text.

        Args:
            text: the task's text.
            barred: keys that may not be answered, whatever they score; they do not compete.

        Returns:
            Keys with the probability that each governs the task, best first; and the probability that none does.
        """
