"""Text folded for comparison: what looks or reads alike becomes equal. Never shown and never stored as text."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

# Letters that a reader takes for Latin ones. Only shapes that are alike in common fonts; after Unicode UTS 39.
_LOOKALIKES = {
    "а": "a", "в": "b", "е": "e", "к": "k", "м": "m", "н": "h", "о": "o", "р": "p", "с": "c", "т": "t", "у": "y",
    "х": "x", "і": "i", "ј": "j", "ѕ": "s", "ԁ": "d", "һ": "h", "ԛ": "q", "ԝ": "w", "ӏ": "l", "ү": "y", "ѵ": "v",
    "ɡ": "g", "ո": "n", "ս": "u", "օ": "o", "հ": "h", "ց": "g", "ք": "f", "զ": "q", "ա": "w", "յ": "j",
    "α": "a", "β": "b", "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x",
    "γ": "y", "η": "n", "ω": "w", "ζ": "z", "ϲ": "c", "ϳ": "j", "ı": "i", "ɑ": "a", "ʟ": "l", "ɩ": "i", "ʀ": "r",
    "ᴀ": "a", "ᴄ": "c", "ᴅ": "d", "ᴇ": "e", "ᴊ": "j", "ᴋ": "k", "ᴍ": "m", "ᴏ": "o", "ᴘ": "p", "ᴛ": "t", "ᴜ": "u",
    "ᴠ": "v", "ᴡ": "w", "ᴢ": "z", "ɢ": "g", "ʜ": "h", "ɪ": "i", "ɴ": "n", "ʏ": "y", "ꜱ": "s",
}  # fmt: skip
LOOKALIKE = {ord(odd): plain for odd, plain in _LOOKALIKES.items()}

# Unicode UAX 15 calls a text "stream-safe" with at most 30 marks in a row; sorting longer runs takes quadratic time.
MAX_MARKS = 30
_MARK_RUN = re.compile(rb"[^\x00]{%d,}" % (MAX_MARKS + 1))
_UNSEEN = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
                     "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")  # fmt: skip
# One character that stands for up to eighteen letters would make a large text a huge one.
_WORD_LIGATURE = re.compile("[\ufdf0-\ufdfd]")
_SPACES = re.compile(r"[^\S\n]+")
_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\\W_]+")


def mark_runs(text: str) -> list[tuple[int, int]]:
    """Return where more than ``MAX_MARKS`` combining marks stand in a row."""
    if text.isascii():
        return []
    return [found.span() for found in _MARK_RUN.finditer(bytes(map(unicodedata.combining, text)))]


def normal(text: str, form: Literal["NFC", "NFKC"]) -> str:
    """Normalise in linear time: a text with endless runs of marks is cut short at each run first."""
    runs = mark_runs(text)
    if runs:
        ends = [0, *(end for _, end in runs)]
        stops = [*(start + MAX_MARKS for start, _ in runs), len(text)]
        text = "".join(text[begin:stop] for begin, stop in zip(ends, stops, strict=True))
    return unicodedata.normalize(form, text)


def fold(text: str) -> str:
    """Return ``text`` without case, width, styled letters and unseen characters; line feeds stay."""
    if text.isascii():
        return _SPACES.sub(" ", text.lower())
    return _SPACES.sub(" ", normal(_WORD_LIGATURE.sub(" ", _UNSEEN.sub("", text)), "NFKC").casefold())


def skeleton(folded: str) -> str:
    """Return a folded text with lookalike letters made Latin and the marks over them taken off."""
    if folded.isascii():
        return folded
    bare = "".join(c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))
    return bare.translate(LOOKALIKE)


def words(text: str) -> list[str]:
    """Return the folded words of ``text``; Chinese and Japanese give one word a character.

    Marks are left out: Python's ``\\w`` knows none, and would break Hindi words at every vowel.
    """
    folded = fold(text)
    if not folded.isascii():
        folded = "".join(c for c in folded if unicodedata.category(c)[0] != "M")
    return _WORD.findall(folded)
