"""Step 7: dates are real days in order, none lies in the future, and the current record is neither due nor expired.

``as_of >= review_on`` is due and ``as_of >= expires_on`` is expired (article, step 3): the named day itself counts.
Days are UTC.
"""

from __future__ import annotations

from itertools import pairwise

from upheld.model.day import is_day
from upheld.model.finding import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.chain import Chain
    from upheld.model.record import Record

_FIELDS = ("recorded_on", "last_verified", "review_on", "expires_on")


def check(chain: Chain, as_of: str) -> list[Finding]:
    """Report impossible, contradictory and future dates of every record, and what is due of the current one."""
    findings = []
    for member in chain.members:
        if member.record is None or member.faults:
            continue
        found = _check_form(member.record, chain.key)
        findings += found or _check_order(member.record, as_of, chain.key)
        if not found and member.place == chain.current.place and not chain.is_retired:
            findings += _check_window(member.record, as_of, chain.key)
    return findings


def _dates(record: Record) -> list[tuple[str, str]]:
    pairs = [(name, getattr(record, name)) for name in _FIELDS]
    return [(name, value) for name, value in pairs if value is not None]


def _check_form(record: Record, key: str) -> list[Finding]:
    return [
        Finding(code="DAT003", place=record.place, path=name, keys=(key,), facts=(("date", repr(value)[:40]),))
        for name, value in _dates(record)
        if not is_day(value)
    ]


def _check_order(record: Record, as_of: str, key: str) -> list[Finding]:
    dates = _dates(record)
    findings = []
    for (earlier, first), (later, second) in pairwise(dates):
        in_order = first <= second if later == "last_verified" else first < second
        if not in_order:
            facts = ((earlier, first), (later, second))
            findings.append(Finding(code="DAT004", place=record.place, path=later, keys=(key,), facts=facts))
    for name, value in dates:
        if name in _FIELDS[:2] and value > as_of:
            facts = ((name, value), ("as of", as_of))
            findings.append(Finding(code="DAT005", place=record.place, path=name, keys=(key,), facts=facts))
    return findings


def _check_window(record: Record, as_of: str, key: str) -> list[Finding]:
    for code, name, value in (("DAT002", "expires_on", record.expires_on), ("DAT001", "review_on", record.review_on)):
        if as_of >= value:
            facts = ((name, value), ("as of", as_of))
            return [Finding(code=code, place=record.place, path=name, keys=(key,), facts=facts)]
    return []
