"""Score a text against every pointer of an index, and say how probable it is that each governs it.

A pointer's *nearness* is the cosine between the task's terms and the centre of the pointer's statements. The ten
nearest pointers, and *none of them*, then compete in one softmax over four facts: nearness, how many of the task's
content words the pointer has (square root), what share of their rarity these are, and, for *none*, what share of it
belongs to words that no pointer has. Negatives of a pointer compete as entries of their own, and count for *none*.

The five weights were fitted by maximum likelihood on training examples and validation tasks of CLINC150 (two seeds,
five examples a pointer), half of the weight on tasks that nothing governs. The test part was not looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from math import exp, log, sqrt

from upheld.routing.form import PULL
from upheld.routing.terms import content_terms, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.routing.index import Index

NEARNESS, SHARED, SHARE = 15.68, 0.85, 1.45
NONE_BASE, NONE_NEW = 5.51, 3.08

BUDGET = 4_000
"""Postings read to find candidates, rarest terms first; the rest is looked up for the best ``RESCORED`` only."""

RESCORED = 20
RIVALS = 10
_LEAST = 5e-324
"""The smallest number above nought: an entry that shares no term is no candidate."""


class Scored:
    """What a text alone says.

    Attributes:
        ranked: pointers with the probability that each governs the task, best first.
        none: the probability that nothing does.
    """

    __slots__ = ("none", "ranked")

    def __init__(self, ranked: list[tuple[int, float]], none: float) -> None:
        self.ranked = ranked
        self.none = none


def score(found: list[str], index: Index, barred: set[int]) -> Scored:
    """Score a text.

    Args:
        found: the words of the task, clipped.
        index: the route index.
        barred: pointers that may not be answered, whatever they score (vetoed); they do not compete.
    """
    known, length = _query(found, index)
    if not known:
        return Scored([], 1.0)
    near = _nearest(known, length, index)
    rivals = _rivals(near, index, barred)
    return _compete(rivals, _Content(found, index), index)


def _query(found: list[str], index: Index) -> tuple[list[tuple[int, int, float]], float]:
    """The task's known terms as (postings, place, weight), rarest first, and the length of its vector."""
    hashes, count = index.terms, len(index.terms)
    known: list[tuple[int, int, float]] = []
    for hashed, weight in terms(found).items():
        place = bisect_left(hashes, hashed)
        if place < count and hashes[place] == hashed:
            known.append((index.starts[place + 1] - index.starts[place], place, weight * index.rarity[place] ** PULL))
    known.sort()
    return known, sqrt(sum(weight * weight for _, _, weight in known)) or 1.0


def _nearest(known: list[tuple[int, int, float]], length: float, index: Index) -> list[tuple[float, int]]:
    """Cosines of the best entries: exact for the ``RESCORED`` best, whatever the budget left out."""
    dots = [0.0] * index.entries
    spent = read = 0
    for postings, place, weight in known:
        if spent + postings > BUDGET and spent:
            break
        spent += postings
        read += 1
        entries, shares = index.postings(place)
        for entry, share in zip(entries, shares, strict=True):
            dots[entry] += weight * share
    exact = {-entry: dot for dot, entry in _highest(dots)}
    for _, place, weight in known[read:]:
        _add_exact(exact, index, place, weight)
    return sorted(((dot / length, entry) for entry, dot in exact.items()), key=lambda pair: (-pair[0], pair[1]))


def _add_exact(exact: dict[int, float], index: Index, place: int, weight: float) -> None:
    """Add one term to the dots of the candidates alone."""
    entries, shares = index.postings(place)
    count = len(entries)
    for entry in exact:
        at = bisect_left(entries, entry)
        if at < count and entries[at] == entry:
            exact[entry] += weight * shares[at]


def _highest(dots: list[float]) -> list[tuple[float, int]]:
    """The ``RESCORED`` best as (dot, minus entry), so that a tie goes to the first entry."""
    cut = sorted(dots)[-RESCORED:][0] or _LEAST
    return sorted([(dot, -entry) for entry, dot in enumerate(dots) if dot >= cut], reverse=True)[:RESCORED]


def _rivals(near: list[tuple[float, int]], index: Index, barred: set[int]) -> list[tuple[float, int, int]]:
    """The entries that compete: nearness, entry, and its pointer (-1 for the negatives of one)."""
    rivals: list[tuple[float, int, int]] = []
    for dot, entry in near:
        owner = index.owners[entry]
        if owner not in barred:
            rivals.append((dot, entry, owner if entry < index.pointers else -1))
    return rivals[:RIVALS]


class _Content:
    """The content words of a task: which are known, and how rare each is."""

    __slots__ = ("new", "places", "total")

    def __init__(self, found: list[str], index: Index) -> None:
        rarest = log((index.statements + 1) / 0.5)
        self.places: list[tuple[int, float]] = []
        self.total = self.new = 0.0
        for hashed in content_terms(found):
            place = bisect_left(index.terms, hashed)
            if place < len(index.terms) and index.terms[place] == hashed:
                self.places.append((place, index.rarity[place]))
                self.total += index.rarity[place]
            else:
                self.new += rarest
        self.total += self.new + 1e-9


def _compete(rivals: list[tuple[float, int, int]], content: _Content, index: Index) -> Scored:
    raised = [(NEARNESS * dot + _shared(entry, content, index), owner) for dot, entry, owner in rivals]
    nothing = NONE_BASE + NONE_NEW * content.new / content.total
    top = max([nothing, *(height for height, _ in raised)])
    mass = {-1: exp(nothing - top)}
    for height, owner in raised:
        mass[owner] = mass.get(owner, 0.0) + exp(height - top)
    whole = sum(mass.values())
    none = mass.pop(-1) / whole
    ranked = sorted(((pointer, part / whole) for pointer, part in mass.items()), key=lambda pair: (-pair[1], pair[0]))
    return Scored(ranked, none)


def _shared(entry: int, content: _Content, index: Index) -> float:
    count, share = 0, 0.0
    for place, rarity in content.places:
        if index.weight(place, entry):
            count += 1
            share += rarity
    return SHARED * sqrt(count) + SHARE * share / content.total
