"""Contradictions: two instructions about one thing that cannot both be followed. A guess for a person, never a verdict."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import excerpt
from upheld.policy.similar import Reading, conflict, read


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL044 for each current instruction under another key that the text seems to contradict."""
    for text in draft.texts:
        if text.field == "text":
            mine = read(text.text)
            for other in draft.current:
                if other.key != draft.key:
                    yield from _against(text.field, mine, other.key, other.text)


def _against(field: str, mine: Reading, key: str, text: str) -> Iterator[Hit]:
    why = conflict(mine, read(text))
    if why:
        yield Hit(
            code="POL044", field=field, facts=(("with", excerpt(key)), ("says", excerpt(text)), ("differs in", why))
        )
