"""Tag characters and variation selectors 17 to 256: whole sentences can hide in them, one byte a character.

Three flags (England, Scotland, Wales) are written with tags and pass; nothing else in ordinary text needs either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import characters

_TAGS = re.compile("\U0001f3f4?[\U000e0000-\U000e0fff]+")
_FLAGS = frozenset(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL007 for each text with such characters."""
    for text in draft.every_text():
        yield from characters(draft, "POL007", text, _offsets(text.text))


def _offsets(text: str) -> Iterator[int]:
    for run in _TAGS.finditer(text):
        if run.group() not in _FLAGS:
            skipped = run.group().startswith("\U0001f3f4")
            yield from range(run.start() + skipped, run.end())
