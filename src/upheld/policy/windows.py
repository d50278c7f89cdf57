"""How long a text may go without review: three sizes, or the window it had before."""

from __future__ import annotations

from datetime import date, timedelta

from upheld.errors import UsageError
from upheld.model.day import is_day

WINDOWS = {"volatile": (14, 30), "normal": (90, 180), "stable": (180, 365)}
"""Days until review and until expiry. ``volatile`` changes with a release, ``stable`` with the years."""
MAX_DAYS = 3660


def choose(
    today: str,
    *,
    volatility: str | None = None,
    review_on: str | None = None,
    expires_on: str | None = None,
    usual: tuple[int, int] | None = None,
) -> tuple[str, str]:
    """Return the days of review and expiry.

    Args:
        today: the day that they are counted from.
        volatility: one of ``WINDOWS``; None for ``usual``.
        review_on: a day that was given; it wins over the window.
        expires_on: likewise.
        usual: the window when nothing is asked for; None for ``normal``.

    Raises:
        UsageError: an unknown volatility, a day that is none, or days out of order.
    """
    if volatility is not None and volatility not in WINDOWS:
        raise UsageError(f"--volatility {volatility!r:.40} is not known", help=f"one of {', '.join(WINDOWS)}")
    review, expiry = WINDOWS[volatility] if volatility is not None else usual or WINDOWS["normal"]
    for option, given in (("--review-on", review_on), ("--expires-on", expires_on)):
        if given is not None and not is_day(given):
            raise UsageError(f"{option} {given!r:.40}: a real day is wanted, written YYYY-MM-DD")
    reviewed = review_on or _after(today, min(review, days_between(today, expires_on) - 1) if expires_on else review)
    expired = expires_on or _after(today, max(expiry, days_between(today, reviewed) + 1))
    if not today < reviewed < expired:
        raise UsageError(
            f"the days must be in order: today {today}, review {reviewed}, expiry {expired}",
            help="give --review-on and --expires-on in this order, both after today",
        )
    if days_between(today, expired) > MAX_DAYS:
        raise UsageError(f"expiry {expired} is more than ten years away", help="give an earlier --expires-on")
    return reviewed, expired


def usual(last_verified: str | None, review_on: str, expires_on: str) -> tuple[int, int] | None:
    """Return the window that a record had, in days; None where its dates do not give one."""
    if not (is_day(last_verified) and is_day(review_on) and is_day(expires_on)) or last_verified is None:
        return None
    window = days_between(last_verified, review_on), days_between(last_verified, expires_on)
    return window if 0 < window[0] < window[1] <= MAX_DAYS else None


def days_between(first: str, second: str) -> int:
    """Return the number of days from one day to another."""
    return (date.fromisoformat(second) - date.fromisoformat(first)).days


def _after(today: str, days: int) -> str:
    try:
        return (date.fromisoformat(today) + timedelta(days=days)).isoformat()
    except OverflowError:
        raise UsageError(f"{days} days after {today} is past the end of the calendar") from None
