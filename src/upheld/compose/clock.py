"""The one place that asks the machine what day it is."""

from __future__ import annotations

import time

from upheld.errors import UsageError
from upheld.model.day import is_day


def today() -> str:
    """Return today's date, UTC, as ``YYYY-MM-DD``."""
    now = time.gmtime()
    return f"{now.tm_year:04d}-{now.tm_mon:02d}-{now.tm_mday:02d}"


def instant() -> str:
    """Return this instant, UTC, as ``YYYY-MM-DDThh:mm:ssZ``."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def day_or_today(named: str | None) -> tuple[str, str]:
    """Return the day to judge by and today, in this order.

    Raises:
        UsageError: ``named`` is not a real day written as YYYY-MM-DD.
    """
    now = today()
    if named is None:
        return now, now
    if not is_day(named):
        raise UsageError(
            f"--as-of {named!r:.40}: a real day is wanted, written YYYY-MM-DD", help="for example --as-of 2026-09-14"
        )
    return named, now
