"""Normal form: a text must be in NFC, so that what looks equal has equal bytes and equal digests."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit, Text
from upheld.policy.fold import mark_runs
from upheld.policy.screen.shown import code_point, place

_MOST = 5


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL012 for each text that is not in NFC; texts with endless runs of marks are POL011's."""
    for text in draft.every_text():
        if not text.text.isascii() and not mark_runs(text.text) and not unicodedata.is_normalized("NFC", text.text):
            yield Hit(code="POL012", field=text.field, facts=tuple(_places(text)))


def _places(text: Text) -> Iterator[tuple[str, str]]:
    """Yield the first pieces that NFC would change; a piece is a letter with the marks on it."""
    shown = 0
    for start, end in _pieces(text.text):
        piece = text.text[start:end]
        composed = unicodedata.normalize("NFC", piece)
        if composed != piece:
            before, after = (" ".join(map(code_point, part)) for part in (piece, composed))
            yield f"{before} instead of {after}", place(text.text, start)
            shown += 1
            if shown == _MOST:
                return


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for at in range(1, len(text)):
        if not unicodedata.combining(text[at]) and not "\u1160" <= text[at] <= "\u11ff":
            yield start, at
            start = at
    yield start, len(text)
