"""The words' side of the fused score: the core layer's terms over the same entries, weighed by how rare they are.

It keeps figures of its own rather than asking the route index, so neither depends on the other's form.
"""

from __future__ import annotations

import math

import numpy as np

from upheld.routing.terms import clipped, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

PULL = 0.7
"""Power put on the rarity of a term, as in the core layer."""

EVENNESS = 0.8
"""Power put on the weights of a centre, as in the core layer."""

FOLDED = 1_024
"""Numbers that the terms of a text are folded into for the linear head."""


class Lexicon:
    """Rarities over statements, and the centre of each entry as postings.

    Args:
        entries: the statements of each entry.
    """

    def __init__(self, entries: list[list[str]]) -> None:
        found = [[terms(clipped(text)) for text in entry] for entry in entries]
        seen: dict[int, int] = {}
        for entry in found:
            for vector in entry:
                for term in vector:
                    seen[term] = seen.get(term, 0) + 1
        total = sum(map(len, found))
        self.entries = len(entries)
        self.rarity = {term: math.log((total + 1) / (count + 0.5)) for term, count in seen.items()}
        gathered: dict[int, list[tuple[int, float]]] = {}
        for number, entry in enumerate(found):
            for term, weight in self._centre(entry).items():
                gathered.setdefault(term, []).append((number, weight))
        self._postings = {
            term: (np.array([n for n, _ in pairs], np.int64), np.array([w for _, w in pairs], np.float32))
            for term, pairs in gathered.items()
        }

    def _centre(self, entry: list[dict[int, float]]) -> dict[int, float]:
        centre: dict[int, float] = {}
        for vector in entry:
            for term, weight in self._unit(vector).items():
                centre[term] = centre.get(term, 0.0) + weight / len(entry)
        centre = {term: weight**EVENNESS for term, weight in centre.items()}
        length = math.sqrt(sum(weight * weight for weight in centre.values())) or 1.0
        return {term: weight / length for term, weight in centre.items()}

    def _unit(self, vector: dict[int, float]) -> dict[int, float]:
        known = {t: weight * self.rarity[t] ** PULL for t, weight in vector.items() if t in self.rarity}
        length = math.sqrt(sum(weight * weight for weight in known.values())) or 1.0
        return {term: weight / length for term, weight in known.items()}

    def nearness(self, text: str) -> Floats:
        """The cosine between a text and the centre of each entry."""
        dots = np.zeros(self.entries, np.float32)
        for term, weight in self._unit(terms(clipped(text))).items():
            numbers, shares = self._postings[term]
            dots[numbers] += np.float32(weight) * shares
        return dots

    def folded(self, text: str) -> Floats:
        """The unit vector of a text, folded by signed hashing into ``FOLDED`` numbers (Weinberger et al. 2009)."""
        row = np.zeros(FOLDED, np.float32)
        for term, weight in self._unit(terms(clipped(text))).items():
            row[term % FOLDED] += np.float32(weight if (term >> 16) & 1 else -weight)
        return row
