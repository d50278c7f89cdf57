"""Count days. Kept off the cold path, which only compares them."""

from __future__ import annotations

from datetime import date, timedelta


def days_after(day: str, days: int) -> str:
    """Return the day that is ``days`` after ``day``; the last day there is where that would be later.

    A day that is none (a malformed ``issued_at``) gives the first day there is, so that whatever is limited by it has
    ended already.
    """
    try:
        return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
    except ValueError:
        return "0001-01-01"
    except OverflowError:
        return "9999-12-31"
