"""Rejected texts: what a person turned down does not come back with one space changed."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.rejected import is_rejected


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL019 for each text of the draft that holds most of a rejected one."""
    for text in draft.texts if draft.rejected else ():
        if is_rejected(text.text, draft.rejected):
            yield Hit(code="POL019", field=text.field)
