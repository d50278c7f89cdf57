"""How a check shows what it saw: short, on one line, and in characters that can be seen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from upheld.model.draft import Draft, Hit, Text

_LONGEST = 80
_MOST = 12


def excerpt(text: str, start: int = 0, end: int | None = None) -> str:
    """Return the piece on one line; characters that cannot be seen stand as their code points."""
    piece = text[start:end]
    cut = "…" if len(piece) > _LONGEST else ""
    return "".join(c if c.isprintable() else f"<{code_point(c)}>" for c in piece[:_LONGEST]) + cut


def code_point(char: str) -> str:
    """Return ``U+202E``."""
    return f"U+{ord(char):04X}"


def named(char: str) -> str:
    """Return ``U+202E RIGHT-TO-LEFT OVERRIDE``."""
    return f"{code_point(char)} {unicodedata.name(char, 'unnamed')}"


def place(text: str, offset: int) -> str:
    """Return ``line 3, column 14``, both from 1, counted in line feeds and code points."""
    return f"line {text.count(chr(10), 0, offset) + 1}, column {offset - text.rfind(chr(10), 0, offset)}"


def line_of(text: str, offset: int) -> str:
    """Return ``line 3``, from 1."""
    return f"line {text.count(chr(10), 0, offset) + 1}"


def allowed(draft: Draft, char: str) -> bool:
    """Whether the policy lets this character through."""
    return any(first <= ord(char) <= last for first, last in draft.policy.allowed_characters)


def characters(draft: Draft, code: str, text: Text, offsets: Iterable[int]) -> Iterator[Hit]:
    """Yield one hit that lists the characters at ``offsets`` with code point, name and place; none if none is left."""
    found = [offset for offset in offsets if not allowed(draft, text.text[offset])]
    if not found:
        return
    facts = [(named(text.text[offset]), place(text.text, offset)) for offset in found[:_MOST]]
    if len(found) > _MOST:
        facts.append(("and more", f"{len(found) - _MOST} more"))
    yield Hit(code=code, field=text.field, facts=tuple(facts), spans=tuple((n, n + 1) for n in found[:1000]))
