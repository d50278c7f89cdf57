"""Days as strict text. ``YYYY-MM-DD`` compares in time order as it stands, so no date type is needed to verify."""

from __future__ import annotations

_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_day(text: object) -> bool:
    """Whether ``text`` is a real day of the Gregorian calendar written exactly ``YYYY-MM-DD`` (RFC 3339 full-date)."""
    if not isinstance(text, str) or len(text) != 10 or text[4] != "-" or text[7] != "-":
        return False
    digits = text[:4] + text[5:7] + text[8:]
    if not (digits.isascii() and digits.isdigit()):
        return False
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:])
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= _LENGTHS[month - 1]:
        return False
    return month != 2 or day < 29 or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
