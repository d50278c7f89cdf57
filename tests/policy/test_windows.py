"""How long a text may go without review."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import UsageError
from upheld.policy.windows import WINDOWS, choose, days_between, usual

DAYS = st.dates(date(2000, 1, 1), date(2900, 1, 1)).map(date.isoformat)


@given(DAYS, st.sampled_from(sorted(WINDOWS)))
def test_a_volatility_is_so_many_days(today: str, volatility: str) -> None:
    review_on, expires_on = choose(today, volatility=volatility)
    assert (days_between(today, review_on), days_between(today, expires_on)) == WINDOWS[volatility]
    assert usual(today, review_on, expires_on) == WINDOWS[volatility]


@given(DAYS, st.integers(1, 3000), st.booleans())
def test_one_given_day_is_kept_and_the_other_stays_in_order(today: str, ahead: int, is_review: bool) -> None:
    given_day = (date.fromisoformat(today) + timedelta(days=ahead + 1)).isoformat()
    chosen = choose(today, review_on=given_day) if is_review else choose(today, expires_on=given_day)
    assert given_day in chosen
    assert today < chosen[0] < chosen[1]


@pytest.mark.parametrize(
    "given_days",
    [
        {"review_on": "2026-01-01"},
        {"expires_on": "2026-01-02"},
        {"review_on": "2026-03-01", "expires_on": "2026-03-01"},
        {"review_on": "2026-02-30"},
        {"expires_on": "01.03.2026"},
        {"expires_on": "2126-01-01"},
        {"volatility": "often"},
    ],
)
def test_days_that_cannot_be_are_refused(given_days: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        choose(
            "2026-01-01",
            volatility=given_days.get("volatility"),
            review_on=given_days.get("review_on"),
            expires_on=given_days.get("expires_on"),
        )


@pytest.mark.parametrize(
    "dates", [(None, "2026-02-01", "2026-03-01"), ("2026-01-01", "x", "2026-03-01"), ("2026-04-01",) * 3]
)
def test_dates_that_give_no_window(dates: tuple[str | None, str, str]) -> None:
    assert usual(*dates) is None
