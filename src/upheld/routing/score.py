"""Score a text against every pointer of an index, and say how probable it is that each governs it.

* *Nearness*: the cosine between the task's terms, weighed by how rare they are, and the centre of the pointer's
  statements.
* *Sense*: the cosine between what the two are about (``lexicon``).
* *Answered*: which share of the task's rarity the pointer's words answer. A word is answered in full by itself, and in
  part by the word of the pointer that is most like it. *Found*: the root of how many content words are, likewise.

The nearest pointers, and *none of them*, then compete in one softmax over these; for *none* counts what share of the
task's rarity belongs to words that no pointer has. Negatives of a pointer compete as entries of their own, and count
for *none*. Every number is of the rules and the task alone, however the index came about; ties go by key.

The weights were fitted by maximum likelihood on training examples and validation tasks of CLINC150 (two seeds, five
examples a pointer), half of the weight on tasks that nothing governs. The test part was not looked at.
"""

from __future__ import annotations

from _operator import mul
from itertools import repeat
from math import exp, isqrt, sqrt

from upheld.routing.lexicon import ALIKE, SCALE
from upheld.routing.terms import terms
from upheld.routing.words import FUNCTION_WORDS, mark, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.routing.index import Index
    from upheld.routing.segment import Segment

NEARNESS, SENSE, ANSWERED, FOUND = 11.28, 5.12, 4.18, 1.74
NONE_BASE, NONE_NEW = 10.90, 0.78
SENSE_IN_RANK = 0.5

BUDGET = 2_000
"""Statements whose terms are read to find candidates, rarest terms first; the rest is looked up for the best alone."""

COMPARED = 14
RIVALS = 8
_NOUGHTS = repeat(0.0)
_SORTED = 2_048
"""Entries up to which sorting all of them is faster than looking for the best chunks."""

_MOST_ANSWERING = 4_096
_MOST_ALIKE = 65_536


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


class _Rival:
    """An entry that competes. ``owner`` is its pointer, or -1 for the negatives of one."""

    __slots__ = ("entry", "near", "owner", "rank", "segment", "sense")

    def __init__(self, near: float, sense: float, segment: Segment, entry: int, owner: int) -> None:
        self.near = near
        self.sense = sense
        self.rank = near + SENSE_IN_RANK * sense
        self.segment = segment
        self.entry = entry
        self.owner = owner


def score(found: list[str], index: Index, barred: set[int]) -> Scored:
    """Score a text.

    Args:
        found: the words of the task, clipped.
        index: the route index.
        barred: pointers that may not be answered, whatever they score (vetoed); they do not compete.
    """
    asked = _Asked(found, index)
    if not asked.known:
        return Scored([], 1.0)
    rivals = _rivals(_nearest(asked, index), found, index, barred)
    return _compete(rivals, _Words(found, index), index)


class _Asked:
    """The task's known terms, rarest first: for each its weight, and where it stands in each segment.

    ``read`` says how many of them are read in full to find candidates; the others are looked up for the best alone.
    """

    __slots__ = ("known", "length", "read")

    def __init__(self, found: list[str], index: Index) -> None:
        known: list[tuple[int, int, float, list[int]]] = []
        for hashed, weight in terms(found).items():
            count, rarity, places = index.weighed(hashed)
            if count > 0:
                known.append((count, hashed, weight * rarity, places))
        known.sort()
        self.known = [(weight, places) for _, _, weight, places in known]
        self.length = sqrt(sum([weight * weight for weight, _ in self.known])) or 1.0
        spent = 0
        self.read = len(known)
        for number, (count, *_) in enumerate(known):
            spent += count
            if spent > BUDGET and number:
                self.read = number
                break


def _nearest(asked: _Asked, index: Index) -> list[tuple[float, int, int]]:
    """The best entries as (nearness, segment, entry): exact for these, whatever the budget left out."""
    best: list[tuple[float, int, int]] = []
    for part, segment in enumerate(index.segments):
        best += [(dot, part, entry) for dot, entry in _highest(_dots(asked, part, segment))]
    best.sort(reverse=True)
    if len(best) > COMPARED:
        cut = best[COMPARED - 1][0]
        best = [one for one in best if one[0] >= cut]
    beyond = _beyond(asked, {part for _, part, _ in best}, index)
    near: list[tuple[float, int, int]] = []
    for dot, part, entry in best:
        places, weights = beyond[part]
        shares = map(index.segments[part].weights_of(entry).get, places, _NOUGHTS) if places else ()
        near.append(((dot + sum(map(mul, shares, weights))) / asked.length, part, entry))
    return near


def _beyond(asked: _Asked, parts: set[int], index: Index) -> dict[int, tuple[list[int], list[float]]]:
    """The terms that were not read, for each segment: their places, ascending, and the weight of each."""
    left = asked.known[asked.read :]
    found: dict[int, tuple[list[int], list[float]]] = {}
    for part in parts:
        pairs = sorted([(places[part], weight) for weight, places in left if places[part] >= 0])
        found[part] = ([place for place, _ in pairs], [weight for _, weight in pairs])
    return found


def _dots(asked: _Asked, part: int, segment: Segment) -> list[float]:
    dots = [0.0] * segment.entries
    for weight, places in asked.known[: asked.read]:
        if places[part] >= 0:
            for entry, share in zip(*segment.postings(places[part]), strict=False):  # of one length, and this is faster
                dots[entry] += weight * share
    for entry in segment.dead_entries:
        dots[entry] = 0.0
    return dots


def _highest(dots: list[float]) -> list[tuple[float, int]]:
    """The ``COMPARED`` best that share a term at all, and whatever ties with the last of them."""
    if len(dots) <= _SORTED:
        shared = sorted([dot for dot in dots if dot > 0.0])[-COMPARED:]
        return [(dot, entry) for entry, dot in enumerate(dots) if dot >= shared[0]] if shared else []
    chunk = isqrt(len(dots) // COMPARED)
    tops = [max(dots[at : at + chunk]) for at in range(0, len(dots), chunk)]
    cut = sorted(tops)[-COMPARED]
    near = [at * chunk for at, top in enumerate(tops) if top >= cut and top > 0.0]
    pairs = [(dot, at + own) for at in near for own, dot in enumerate(dots[at : at + chunk]) if dot >= cut]
    return [pair for pair in pairs if pair[0] > 0.0]


def _rivals(near: list[tuple[float, int, int]], found: list[str], index: Index, barred: set[int]) -> list[_Rival]:
    sense = index.lexicon.sense(found)
    rivals: list[_Rival] = []
    for dot, part, entry in near:
        segment = index.segments[part]
        owner = index.owner(part, entry)
        if owner not in barred:
            alike = sum(map(mul, sense, segment.sense(entry))) / SCALE
            rivals.append(_Rival(dot, alike, segment, entry, owner if entry < segment.pointers else -1 - owner))
    rivals.sort(key=lambda rival: -rival.rank)
    if len(rivals) > RIVALS and rivals[RIVALS - 1].rank == rivals[RIVALS].rank:
        rivals.sort(key=lambda rival: (-rival.rank, rival.owner < 0, index.key(_pointer(rival.owner))))
    return rivals[:RIVALS]


def _pointer(owner: int) -> int:
    return owner if owner >= 0 else -1 - owner


class _Words:
    """The stems of a task: how rare each is, which say what it is about, and what share no pointer has."""

    __slots__ = ("new", "stems", "total")

    def __init__(self, found: list[str], index: Index) -> None:
        about: dict[int, bool] = {}
        for word in found:
            hashed = mark("w" + stem(word))
            about[hashed] = about.get(hashed, False) or word not in FUNCTION_WORDS
        self.stems: list[tuple[int, int, float, bool]] = []
        content = new = total = 0.0
        for hashed, is_content in about.items():
            count, rarity, _ = index.weighed(hashed)
            total += rarity
            if is_content:
                content += rarity
                new += 0.0 if count else rarity
            self.stems.append((hashed, index.lexicon.code(hashed), rarity, is_content))
        self.total = total + 1e-9
        self.new = new / (content + 1e-9)


def _compete(rivals: list[_Rival], words: _Words, index: Index) -> Scored:
    raised = [(_height(rival, words, index), rival.owner) for rival in rivals]
    nothing = NONE_BASE + NONE_NEW * words.new
    top = max([nothing, *(height for height, _ in raised)])
    mass: dict[int, float] = {}
    against = [exp(nothing - top)]
    for height, owner in raised:
        if owner < 0:
            against.append(exp(height - top))
        else:
            mass[owner] = mass.get(owner, 0.0) + exp(height - top)
    # Sorted, so that the sums do not hang on the order in which rivals were found.
    none = sum(sorted(against))
    whole = sum(sorted([none, *mass.values()]))
    ranked = sorted(((pointer, part / whole) for pointer, part in mass.items()), key=lambda pair: -pair[1])
    if len({part for _, part in ranked}) < len(ranked):
        ranked.sort(key=lambda pair: (-pair[1], index.key(pair[0])))
    return Scored(ranked, none / whole)


def _height(rival: _Rival, words: _Words, index: Index) -> float:
    answered, found = _answered(rival, words, index)
    return NEARNESS * rival.near + SENSE * rival.sense + ANSWERED * answered / words.total + FOUND * sqrt(found)


def _stems(segment: Segment, entry: int, index: Index) -> tuple[frozenset[int], list[int]]:
    """The stems of an entry, and the codes of those that the table of words has."""
    found = segment.answering.get(entry)
    if found is None:
        if len(segment.answering) >= _MOST_ANSWERING:
            segment.answering.clear()
        stems = segment.stems_of(entry)
        found = segment.answering[entry] = (frozenset(stems), index.lexicon.codes(stems))
    return found


def _answered(rival: _Rival, words: _Words, index: Index) -> tuple[float, float]:
    """Rarity answered, and content words found, by the stems of one entry."""
    segment, entry = rival.segment, rival.entry
    stems, codes = _stems(segment, entry, index)
    alike = segment.alike
    answered = found = 0.0
    for hashed, code, rarity, is_content in words.stems:
        if hashed in stems:
            part = 1.0
        elif code and codes:
            pair = hashed << 32 | entry
            seen = alike.get(pair)
            if seen is None:
                if len(alike) >= _MOST_ALIKE:
                    alike.clear()
                seen = alike[pair] = ALIKE[min([(code ^ other).bit_count() for other in codes])]
            part = seen
        else:
            continue
        answered += rarity * part
        if is_content:
            found += part
    return answered, found
