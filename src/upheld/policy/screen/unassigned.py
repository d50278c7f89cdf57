"""Noncharacters, halves of surrogate pairs, and code points that stand for nothing.

What is unassigned depends on the Python that asks. Blocks where new emoji and Chinese characters are added every year
pass, so that a text does not depend on the machine that screens it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import characters

_GROWING = ((0x1F000, 0x1FAFF), (0x20000, 0x3FFFD))


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL010 for each text with such code points."""
    for text in draft.every_text():
        odd = "".join(c for c in set(text.text) if c > "\x7f" and _is_odd(c))
        if odd:
            found = re.finditer("[" + re.escape(odd) + "]", text.text)
            yield from characters(draft, "POL010", text, (m.start() for m in found))


def _is_odd(char: str) -> bool:
    point = ord(char)
    if point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF or 0xD800 <= point <= 0xDFFF:
        return True
    return unicodedata.category(char) == "Cn" and not any(first <= point <= last for first, last in _GROWING)
