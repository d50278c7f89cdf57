"""Patterns over folded text: each is tried on the text without case and style, and on its Latin skeleton."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from upheld.model.draft import Hit, Text
from upheld.policy.fold import fold, skeleton
from upheld.policy.screen.shown import excerpt, line_of

Pattern = tuple[str, re.Pattern[str]]
_QUOTES = "\"'`“”„«‘’‹「『"


def compiled(rows: Sequence[tuple[str, str]]) -> tuple[Pattern, ...]:
    """Compile rows of (what it is, pattern); ``^`` and ``$`` are those of a line."""
    return tuple((what, re.compile(pattern, re.MULTILINE)) for what, pattern in rows)


def variants(text: str) -> tuple[str, ...]:
    """Return the folded text, and its skeleton where that differs."""
    folded = fold(text)
    bare = skeleton(folded)
    return (folded,) if bare == folded else (folded, bare)


def find(patterns: Sequence[Pattern], text: Text, folded: Sequence[str]) -> Iterator[tuple[str, str, re.Match[str]]]:
    """Yield (what, searched text, match), at most one a pattern."""
    for what, pattern in patterns:
        for searched in folded:
            match = pattern.search(searched)
            if match:
                yield what, searched, match
                break


def hits(code: str, patterns: Sequence[Pattern], text: Text) -> Iterator[Hit]:
    """Yield one hit for each pattern that matches."""
    for what, searched, match in find(patterns, text, variants(text.text)):
        yield hit(code, text, what, searched, match)


def hit(code: str, text: Text, what: str, searched: str, match: re.Match[str]) -> Hit:
    """Return the hit for a match, which shows the folded words that matched."""
    facts = ((what, excerpt(searched, *match.span())), ("at", line_of(searched, match.start())))
    return Hit(code=code, field=text.field, facts=facts)


def is_quoted(searched: str, match: re.Match[str]) -> bool:
    """Whether the match stands right behind an opening quotation mark, as a text about attacks would have it."""
    start = match.start()
    return start > 0 and searched[start - 1] in _QUOTES
