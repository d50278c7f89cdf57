"""Mixed scripts: a word that mixes letters that look alike, or that is written wholly in lookalikes.

Ordinary words mix scripts too (``μs``, ``PDFы``, ``API-ключ``, Japanese with Latin): they pass, since what they mix
does not look alike. After Unicode UTS 39, narrowed to what is a deception and not a habit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit, Text
from upheld.policy.fold import LOOKALIKE
from upheld.policy.screen.shown import allowed, excerpt, named, place

_WORD = re.compile(r"[^\W\d_]+(?:[\d_]+[^\W\d_]+)*")
_MAY_DECEIVE = re.compile(
    "[\u0131\u0251\u0261\u026a\u0370-\u058f\u13a0-\u13ff\u1c80-\u1c8f\u1d00-\u1d7f\u2c80-\u2cff\ua4d0-\ua4ff\ua640-\ua69f"
    "\uab70-\uabbf\uff21-\uff5a\U00010280-\U000103ff\U00010400-\U0001044f\U000118a0-\U000118df\U0001d400-\U0001d7ff]"
)
# Scripts whose letters no ordinary word mixes with Latin ones.
_NEVER_MIXED = frozenset(("ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "DESERET", "LYCIAN", "CARIAN", "OLD", "WARANG"))
_STYLED = frozenset(("MATHEMATICAL", "FULLWIDTH"))
_ACRONYM = re.compile("[A-Z0-9]{2,}[\u0430-\u044f\u0451]{1,4}")
_SWITCHES = re.compile("[\u0400-\u052f][A-Za-z]+[\u0400-\u052f]")
_LATIN_TWINS = frozenset("abcehikmoptxy")
_SHORTEST = 3


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL013 for each word that deceives."""
    suspects = [text for text in draft.every_text() if _MAY_DECEIVE.search(text.text)]
    pure: list[tuple[Text, str, int]] = []
    plain: set[str] = set()
    for text in suspects:
        yield from _words(draft, text, pure, plain)
    for text, word, start in pure:
        if _script(word[0]) not in plain and len(word) >= _SHORTEST:
            yield from _hit(draft, text, word, start, word)


def _words(draft: Draft, text: Text, pure: list[tuple[Text, str, int]], plain: set[str]) -> Iterator[Hit]:
    """Yield mixed words; collect words wholly of lookalikes, and the scripts that the draft writes plainly in."""
    for match in _WORD.finditer(text.text):
        word = match.group()
        if word.isascii():
            continue
        by_script = _by_script(word)
        odd = _odd_letters(word, by_script)
        if odd:
            yield from _hit(draft, text, word, match.start(), odd)
        elif len(by_script) == 1:
            script = next(iter(by_script))
            if script in ("CYRILLIC", "GREEK") and _all_lookalike(word):
                pure.append((text, word, match.start()))
            else:
                plain.add(script)


def _hit(draft: Draft, text: Text, word: str, start: int, odd: str) -> Iterator[Hit]:
    left = [c for c in dict.fromkeys(odd) if not allowed(draft, c)]
    if left:
        facts = (("word", excerpt(word)), ("place", place(text.text, start)), *((named(c), "") for c in left[:8]))
        yield Hit(code="POL013", field=text.field, facts=facts, spans=((start, start + len(word)),))


def _script(char: str) -> str:
    return unicodedata.name(char, "UNNAMED").split(" ", 1)[0]


def _by_script(word: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for char in word:
        if char.isalpha():
            script = "LATIN" if char < "\x80" else _script(char)
            out[script] = out.get(script, "") + char
    return out


def _odd_letters(word: str, by_script: dict[str, str]) -> str:
    """Return the letters that make a mixed word deceive; empty if it is an ordinary one."""
    latin = by_script.get("LATIN", "")
    for script in _NEVER_MIXED & by_script.keys():
        if len(by_script) > 1:
            return by_script[script]
    for script in _STYLED & by_script.keys():
        if latin and len(by_script[script]) + len(latin) >= _SHORTEST:
            return by_script[script]
    for script in ("CYRILLIC", "GREEK"):
        letters = by_script.get(script, "")
        other = latin or (by_script.get("GREEK", "") if script == "CYRILLIC" else "")
        if letters and other and len(letters) + len(other) >= _SHORTEST and not _ACRONYM.fullmatch(word):
            odd = "".join(c for c in letters if _looks_latin(c))
            if odd:
                return odd
    if latin and by_script.get("CYRILLIC") and _SWITCHES.search(word) and set(latin.lower()) <= _LATIN_TWINS:
        return latin
    odd = "".join(c for c in latin if c > "\x7f" and _looks_latin(c) and c != "ı")
    return odd if odd and len(odd) < len(word) and any(c < "\x80" for c in latin) else ""


def _looks_latin(char: str) -> bool:
    return any(ord(c) in LOOKALIKE for c in (char, char.lower()[:1]))


def _all_lookalike(word: str) -> bool:
    return all(_looks_latin(c) for c in word if c.isalpha())
