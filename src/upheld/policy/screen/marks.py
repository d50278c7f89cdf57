"""Stacked marks: they cover the lines around them, and sorting them takes quadratic time elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.fold import mark_runs
from upheld.policy.screen.shown import place


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL011 for each text with more than 30 combining marks in a row (UAX 15, stream-safe text)."""
    for text in draft.every_text():
        runs = mark_runs(text.text)
        if runs:
            start, end = runs[0]
            yield Hit(code="POL011", field=text.field, facts=((f"{end - start:,} marks", place(text.text, start)),))
