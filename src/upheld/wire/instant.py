"""Days and instants as text: exactly ``YYYY-MM-DD`` and ``YYYY-MM-DDThh:mm:ssZ``, always UTC.

In these two forms order of text is order of time, so comparing needs no parsing.
"""

from __future__ import annotations

_DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_day(text: str) -> bool:
    """Whether a text is a real day of the Gregorian calendar, years 1 to 9999, written ``YYYY-MM-DD``."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        return False
    digits = text[:4] + text[5:7] + text[8:]
    if not (digits.isascii() and digits.isdigit()):
        return False
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:])
    return year >= 1 and 1 <= month <= 12 and 1 <= day <= _month_length(year, month)


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


def _month_length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS_IN_MONTH[month - 1]
