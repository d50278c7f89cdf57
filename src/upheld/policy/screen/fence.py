"""Fences: a block that a text opens must be closed in it, and a text may not pretend to end a block around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit, Text
from upheld.policy.screen.matched import compiled, hits
from upheld.policy.screen.shown import excerpt

_FENCE = re.compile(r"^ {0,3}(?:[>\-*+] {0,3}){0,4}(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE)
_SECTION = (
    "document|context|memor(?:y|ies)|instructions?|prompt|system prompt|system message|untrusted (?:data|text|content)"
    "|user (?:input|message|query)|tool (?:output|result)|retrieved (?:text|context|memory)|conversation|transcript"
)
_PATTERNS = compiled(
    (
        ("false boundary", rf"^\W{{2,40}}(?:end|begin|start)(?: of)?(?: the)? (?:{_SECTION})\b[^\w\n]{{0,40}}$"),
        ("false boundary", r"</\s{0,3}(?:documents?|document_content|untrusted|data|search_results?)\s{0,3}>\s{0,4}$"),
        ("false boundary", r"\]\]>"),
    )
)


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL016 for an unclosed fence or comment, and for lines that pretend to end what stands around the text."""
    for text in draft.every_text():
        yield from hits("POL016", _PATTERNS, text)
        yield from _unclosed(text)


def _unclosed(text: Text) -> Iterator[Hit]:
    fence = open_fence(text.text)
    if fence:
        yield Hit(code="POL016", field=text.field, facts=(("fence never closed", excerpt(fence)),))
    opened = text.text.rfind("<!--")
    if opened > text.text.rfind("-->"):
        line = text.text.count("\n", 0, opened) + 1
        yield Hit(code="POL016", field=text.field, facts=(("comment never closed", f"line {line}"),))


def open_fence(text: str) -> str:
    """Return the mark of the fence that is still open at the end (CommonMark 4.5), or an empty string."""
    current = ""
    for match in _FENCE.finditer(text):
        mark, info = match["mark"], match["info"]
        if not current:
            current = mark if mark[0] == "~" or "`" not in info else ""
        elif mark[0] == current[0] and len(mark) >= len(current) and not info.strip():
            current = ""
    return current
