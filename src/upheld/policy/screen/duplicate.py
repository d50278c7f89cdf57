"""Near-duplicates: one rule under two keys is corrected once and lives on in the other."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import excerpt
from upheld.policy.similar import conflict, nearly_same, read


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL045 for each current instruction under another key that says nearly the same."""
    for text in draft.texts:
        if text.field == "text":
            mine = read(text.text)
            for other in draft.current:
                theirs = read(other.text)
                if other.key != draft.key and nearly_same(mine, theirs) and not conflict(mine, theirs):
                    facts = (("of", excerpt(other.key)), ("says", excerpt(other.text)))
                    yield Hit(code="POL045", field=text.field, facts=facts)
