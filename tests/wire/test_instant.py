from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.model.day import is_day
from upheld.wire.instant import is_instant


def python_reads_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@given(st.dates())
def test_every_real_day_is_one(day: date) -> None:
    assert is_day(day.isoformat())


@given(st.integers(0, 10_000), st.integers(0, 14), st.integers(0, 33))
def test_the_calendar_is_pythons(year: int, month: int, day: int) -> None:
    text = f"{year:04}-{month:02}-{day:02}"
    assert is_day(text) == python_reads_day(text)


@given(st.text("0123456789-", min_size=8, max_size=11) | st.text(max_size=12))
def test_no_other_text_is_a_day(text: str) -> None:
    assert is_day(text) == python_reads_day(text)


@given(st.datetimes())
def test_every_real_second_is_an_instant(moment: datetime) -> None:
    assert is_instant(moment.replace(microsecond=0).isoformat() + "Z")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-02-29T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z",
        "2026-01-01 00:00:00Z",
        "2026-01-01T00:00:00z",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.0Z",
        "2026-01-01T0\u0660:00:00Z",
        "2026-01-01T-1:00:00Z",
        "\u0662026-01-01T00:00:00Z",
    ],
)
def test_no_other_text_is_an_instant(text: str) -> None:
    assert not is_instant(text)
