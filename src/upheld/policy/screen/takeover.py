"""Take-over: a trigger that would fire where another pointer's examples say that the other one governs."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import CurrentInstruction, Draft, Hit
from upheld.policy.screen.shown import excerpt
from upheld.policy.similar import content_words

_COVERED = 0.8
_FEWEST = 3
_EXAMPLES = 1000


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL042 for each other pointer with an example that the draft's trigger would take over."""
    own = [content_words(text) for text in (draft.read_when, *draft.examples)]
    own = [found for found in own if found]
    if not own and draft.would_fire is None:
        return
    for other in draft.current:
        if other.key != draft.key:
            yield from _taken(draft, own, other)


def _taken(draft: Draft, own: list[frozenset[str]], other: CurrentInstruction) -> Iterator[Hit]:
    examples = (*other.fires, other.read_when) if other.read_when else other.fires
    for example in examples[:_EXAMPLES]:
        routed = draft.would_fire is not None and example in other.fires and draft.key in draft.would_fire(example)
        if routed or _covers(own, content_words(example)):
            yield Hit(
                code="POL042", field="read_when", facts=(("of", excerpt(other.key)), ("example", excerpt(example)))
            )
            return


def _covers(own: list[frozenset[str]], example: frozenset[str]) -> bool:
    """Whether one own text holds nearly every word of the example, or the other way round."""
    if len(example) < _FEWEST:
        return any(example and example == mine for mine in own)
    return any(len(mine) >= _FEWEST and len(example & mine) >= _COVERED * len(example) for mine in own)
