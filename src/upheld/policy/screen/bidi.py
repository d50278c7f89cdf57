"""Bidirectional controls: they make a line read otherwise than it is stored (CVE-2021-42574, "Trojan Source").

Arabic, Persian, Hebrew and Urdu need none of the embeddings, overrides and isolates; they do use the three marks, which
reorder nothing but neutral characters beside them. So a single mark passes in a line that has right-to-left letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.shown import characters

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u206a-\u206f]+")
_MARKS = "\u061c\u200e\u200f"
_RTL = re.compile("[\u0590-\u05ff\u0600-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL006 for each text with such characters."""
    for text in draft.every_text():
        yield from characters(draft, "POL006", text, _offsets(text.text))


def _offsets(text: str) -> Iterator[int]:
    line_start = line_end = -1
    has_rtl = False
    for run in _BIDI.finditer(text):
        if run.start() >= line_end:
            line_start, line_end = text.rfind("\n", 0, run.start()) + 1, text.find("\n", run.start())
            line_end = len(text) if line_end < 0 else line_end
            has_rtl = _RTL.search(text, line_start, line_end) is not None
        if not (has_rtl and len(run.group()) == 1 and run.group() in _MARKS):
            yield from range(*run.span())
