"""The writing rule: the first served line is the instruction, whole. The rule itself is ``policy.opening``."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.opening import fault, mended
from upheld.policy.screen.shown import excerpt


def check(draft: Draft) -> Iterator[Hit]:
    """Yield one of POL020 to POL025 for the served text, with the mended text where it can be had."""
    for text in draft.texts:
        found = fault(text.text) if text.field == "text" else None
        if found is not None:
            facts = [("line", str(found.line)), ("reads", excerpt(found.shown))]
            better = mended(text.text)
            if better is not None:
                facts.append(("mended", better))
            yield Hit(code=found.code, field=text.field, facts=tuple(facts))
