"""Invisible characters: two texts that look alike must be alike, or what a person approves is not what is served.

Some writing needs some of them, and there they pass: a joiner or non-joiner between letters of the scripts that use
them (Persian, Hindi and their neighbours), a joiner between emoji, a variation selector after an emoji, a zero-width
space between Thai, Lao, Burmese or Khmer words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import characters

_UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
_JOINS = re.compile(
    "[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc\u0900-\u0dff\u0e80-\u109f\u1780-\u18af\u1a00-\u1aff\u1b00-\u1cff"
    "\ua800-\ua8ff\ua980-\uaaff\uabc0-\uabff\U00011000-\U00011fff]"
)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f]")
_KEYCAPS = "0123456789#*"
_OTHER_EMOJI = "\u203c\u2049\u2139\u3030\u303d\u2194\u2122"


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL008 for each text with invisible characters where nothing needs them."""
    for text in draft.every_text():
        found = (m.start() for m in _UNSEEN.finditer(text.text))
        yield from characters(draft, "POL008", text, (n for n in found if not _is_needed(text.text, n)))


def _is_needed(text: str, at: int) -> bool:
    char, before, after = text[at], text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if char in "\u200c\u200d" and _JOINS.match(before):
        return not (after and _UNSEEN.match(after))
    if char == "\u200d":
        return _is_emoji(_base(text, at)) and _is_emoji(after)
    if char in "\ufe0e\ufe0f":
        return bool(before) and (_is_emoji(before) or before in _KEYCAPS)
    if char == "\u200b":
        return bool(_UNSPACED.match(before) and _UNSPACED.match(after))
    return False


def _base(text: str, at: int) -> str:
    """Return the emoji before ``at``, past one selector and one skin tone."""
    for _ in range(2):
        if at and (text[at - 1] == "\ufe0f" or "\U0001f3fb" <= text[at - 1] <= "\U0001f3ff"):
            at -= 1
    return text[at - 1] if at else ""


def _is_emoji(char: str) -> bool:
    if not char:
        return False
    category = unicodedata.category(char)
    # Emoji newer than this Python's tables are unassigned in the blocks reserved for them.
    newer = category == "Cn" and "\U0001f000" <= char <= "\U0001faff"
    return category in ("So", "Sm") or char in _OTHER_EMOJI or "\U0001f3fb" <= char <= "\U0001f3ff" or newer
