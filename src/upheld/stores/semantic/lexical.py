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
        self._found = [[terms(clipped(text)) for text in entry] for entry in entries]
        seen: dict[int, int] = {}
        for entry in self._found:
            for vector in entry:
                for term in vector:
                    seen[term] = seen.get(term, 0) + 1
        total = sum(map(len, self._found))
        self.entries = len(entries)
        self.rarity = {term: math.log((total + 1) / (count + 0.5)) for term, count in seen.items()}
        self._pulled = {term: rarity**PULL for term, rarity in self.rarity.items()}
        self._postings: dict[int, tuple[NDArray[np.int64], Floats]] | None = None

    def _posted(self) -> dict[int, tuple[NDArray[np.int64], Floats]]:
        """By term the entries whose centre has it; worked out when it is first asked for, which a head never does."""
        if self._postings is None:
            gathered: dict[int, list[tuple[int, float]]] = {}
            for number, entry in enumerate(self._found):
                for term, weight in self._centre(entry).items():
                    gathered.setdefault(term, []).append((number, weight))
            self._postings = {
                term: (np.array([n for n, _ in pairs], np.int64), np.array([w for _, w in pairs], np.float32))
                for term, pairs in gathered.items()
            }
        return self._postings

    def _centre(self, entry: list[dict[int, float]]) -> dict[int, float]:
        centre: dict[int, float] = {}
        for vector in entry:
            for term, weight in self._unit(vector).items():
                centre[term] = centre.get(term, 0.0) + weight / len(entry)
        centre = {term: weight**EVENNESS for term, weight in centre.items()}
        length = math.sqrt(sum(weight * weight for weight in centre.values())) or 1.0
        return {term: weight / length for term, weight in centre.items()}

    def _unit(self, vector: dict[int, float]) -> dict[int, float]:
        pulled = self._pulled
        known = {term: weight * pulled[term] for term, weight in vector.items() if term in pulled}
        length = math.sqrt(sum(weight * weight for weight in known.values())) or 1.0
        return {term: weight / length for term, weight in known.items()}

    def nearness(self, text: str) -> Floats:
        """The cosine between a text and the centre of each entry."""
        dots = np.zeros(self.entries, np.float32)
        postings = self._posted()
        for term, weight in self._unit(terms(clipped(text))).items():
            numbers, shares = postings[term]
            dots[numbers] += np.float32(weight) * shares
        return dots

    def folded(self, text: str) -> tuple[NDArray[np.int64], Floats]:
        """The unit vector of a text, folded by signed hashing into ``FOLDED`` numbers (Weinberger et al. 2009).

        Returns:
            Where numbers other than nought stand, and these.
        """
        return _folded(self._unit(terms(clipped(text))))

    def rows(self) -> Floats:
        """The same for every statement of every entry, in their order: a row of ``FOLDED`` numbers each."""
        said = [vector for entry in self._found for vector in entry]
        rows = np.zeros((len(said), FOLDED), np.float32)
        for row, vector in zip(rows, said, strict=True):
            places, weights = _folded(self._unit(vector))
            row[places] = weights
        return rows


def _folded(vector: dict[int, float]) -> tuple[NDArray[np.int64], Floats]:
    sums: dict[int, float] = {}
    for term, weight in vector.items():
        place = term % FOLDED
        sums[place] = sums.get(place, 0.0) + (weight if (term >> 16) & 1 else -weight)
    return np.fromiter(sums.keys(), np.int64, len(sums)), np.fromiter(sums.values(), np.float32, len(sums))
