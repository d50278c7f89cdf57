"""Control characters: terminals obey them, and some end a line for one reader and not for another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import characters

# A line feed, a tab, and a carriage return before a line feed are ordinary. U+0085, U+2028 and U+2029 break lines in
# Python and not in Markdown.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)")


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL005 for each text with control characters."""
    for text in draft.every_text():
        yield from characters(draft, "POL005", text, (m.start() for m in _CONTROL.finditer(text.text)))
