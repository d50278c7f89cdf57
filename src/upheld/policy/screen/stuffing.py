"""Stuffing: words said over and over, so that a search or a router ranks the text above all others."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.fold import words

_WINDOW = 40
_FEWEST = 16
_DISTINCT = 0.55


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL043 for each text whose words are mostly repetitions."""
    for text in draft.every_text():
        found = [word for word in words(text.text) if len(word) > 1 and not word.isdigit()]
        for start in range(0, len(found), _WINDOW):
            window = found[start : start + _WINDOW]
            if len(window) >= _FEWEST and len(set(window)) < _DISTINCT * len(window):
                facts = (("different words", f"{len(set(window))} of {len(window)}"),)
                yield Hit(code="POL043", field=text.field, facts=facts)
                break
