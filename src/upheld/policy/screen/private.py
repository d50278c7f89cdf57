"""Private-use characters: what they show depends on the font, and a model may read them as anything."""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import characters

_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]")


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL009 for each text with private-use characters."""
    for text in draft.every_text():
        yield from characters(draft, "POL009", text, (m.start() for m in _PRIVATE.finditer(text.text)))
