"""One rule, worked out for a route index: all that its texts come to, and nothing that depends on another rule."""

from __future__ import annotations

import math
from binascii import crc32

from upheld.model.value import Value
from upheld.routing.form import EVENNESS
from upheld.routing.lexicon import Lexicon, unit, whole
from upheld.routing.matching import listed
from upheld.routing.terms import clipped, statement, terms
from upheld.routing.words import mark, stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Rule


class Entry(Value):
    """The statements of a rule, or its negatives, as vectors.

    Attributes:
        size: how many statements.
        weights: by term its weight in the centre of the statements, and in how many of them it stands.
        stems: the terms of the stems that stand in any of them, ascending.
        sense: what they are about (``lexicon``).
    """

    size: int
    weights: tuple[tuple[int, float, int], ...]
    stems: tuple[int, ...]
    sense: bytes


class Piece(Value):
    """One pointer of a route index.

    Attributes:
        key, read_when, broken: as in the rule.
        mark: two 32-bit numbers by which a rule that changed is told from one that did not.
        matchers, vetoes: kind and pattern of each.
        together, overrides: keys.
        said: (negative?, form) of each statement.
        entries: the statements; then the negatives, where there are any.
    """

    key: str
    read_when: str
    broken: str
    mark: tuple[int, int]
    matchers: tuple[tuple[int, str], ...]
    vetoes: tuple[tuple[int, str], ...]
    together: tuple[str, ...]
    overrides: tuple[str, ...]
    said: tuple[tuple[int, str], ...]
    entries: tuple[Entry, ...]


def piece_of(rule: Rule, lexicon: Lexicon) -> Piece:
    """Work one rule out. A broken one keeps its name alone, so that it can be reported; it says nothing."""
    trigger = None if rule.broken else rule.trigger
    entries = [] if rule.broken else [_entry(spoken(rule), lexicon)]
    negatives = [] if rule.broken else [found for found in map(clipped, rule.nots) if found]
    if negatives:
        entries.append(_entry(negatives, lexicon))
    return Piece(
        key=rule.key,
        read_when=rule.read_when,
        broken=rule.broken,
        mark=mark_of(rule),
        matchers=tuple(listed(trigger)),
        vetoes=tuple(listed(trigger.not_when if trigger else None)),
        together=trigger.together_with if trigger else (),
        overrides=trigger.overrides if trigger else (),
        said=() if rule.broken else _said(rule),
        entries=tuple(entries) or (_entry([], lexicon),),
    )


def mark_of(rule: Rule) -> tuple[int, int]:
    """Two sums over all that a rule says. They find what changed; they are no protection against anybody."""
    raw = repr(rule).encode("utf-8", "replace")
    return crc32(raw), crc32(raw, 0x5EED)


def spoken(rule: Rule) -> list[list[str]]:
    """The statements that stand for a rule, as words: its sentence, examples, and its key if that adds a word."""
    said = [clipped(rule.read_when), *(clipped(example) for example in rule.fires)]
    name = clipped(rule.key.replace("-", " ").replace("_", " "))
    if not set(name) <= set(said[0]):
        said.append(name)
    return [found for found in said if found]


def _said(rule: Rule) -> tuple[tuple[int, str], ...]:
    texts = [*((0, text) for text in (rule.read_when, *rule.fires)), *((1, text) for text in rule.nots)]
    return tuple((negative, statement(found)) for negative, text in texts if (found := clipped(text)))


def _entry(said: list[list[str]], lexicon: Lexicon) -> Entry:
    """One unit vector: the mean of the unit statements, evened out."""
    centre: dict[int, float] = {}
    often: dict[int, int] = {}
    for found in said:
        vector = terms(found)
        length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
        for term, weight in vector.items():
            centre[term] = centre.get(term, 0.0) + weight / length / len(said)
            often[term] = often.get(term, 0) + 1
    evened = {term: centre[term] ** EVENNESS for term in sorted(centre)}
    length = math.sqrt(sum(weight * weight for weight in evened.values())) or 1.0
    return Entry(
        size=len(said),
        weights=tuple((term, weight / length, often[term]) for term, weight in evened.items()),
        stems=tuple(sorted({mark("w" + stem(word)) for found in said for word in found})),
        sense=whole(unit([sum(parts) for parts in zip(*map(lexicon.sense, said), strict=True)] or lexicon.sense([]))),
    )
