"""Instants as strict text: ``YYYY-MM-DDThh:mm:ssZ``, always UTC, so that order of text is order of time."""

from __future__ import annotations

from upheld.model.day import is_day


def is_instant(text: str) -> bool:
    """Whether a text is a real second, written ``YYYY-MM-DDThh:mm:ssZ``; leap seconds are not written."""
    if len(text) != 20 or not is_day(text[:10]):
        return False
    if (text[10], text[13], text[16], text[19]) != ("T", ":", ":", "Z"):
        return False
    digits = text[11:13] + text[14:16] + text[17:19]
    if not (digits.isascii() and digits.isdigit()):
        return False
    return int(text[11:13]) < 24 and int(text[14:16]) < 60 and int(text[17:19]) < 60
