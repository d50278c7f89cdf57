"""due: what needs review or expires, soonest first."""

from __future__ import annotations

from upheld.model.day import is_day
from upheld.model.finding import Finding
from upheld.model.index import Pointer
from upheld.model.names import short
from upheld.model.reports import Due, DueKey
from upheld.policy.windows import days_between
from upheld.services.base import Base
from upheld.services.every_key import entries
from upheld.services.gather import read_record


def due(base: Base, *, within: int) -> Due:
    """Look at the current record of every key.

    Args:
        base: the store; its ``today`` is the day to judge by.
        within: how many days ahead to look; 0 for what is due already.
    """
    found: list[DueKey] = []
    unread: list[Finding] = []
    total = 0
    for entry, findings in entries(base):
        unread += findings
        if not isinstance(entry, Pointer):
            continue
        total += 1
        one = _of(base, entry)
        if isinstance(one, Finding):
            unread.append(one)
        elif min(days_between(base.today, day) for day in (one.review_on, one.expires_on)) <= within:
            found.append(one)
    found.sort(key=lambda one: (min(one.review_on, one.expires_on), one.key))
    return Due(keys=tuple(found), total=total, within=within, as_of=base.today, unread=tuple(unread))


def _of(base: Base, pointer: Pointer) -> DueKey | Finding:
    member = read_record(base.store, pointer.target)
    record = member.record
    if member.faults or record is None:
        return Finding(code=member.faults[0].code, place=pointer.target, keys=(pointer.key,))
    if record.sha256 != pointer.record_sha256:
        facts = (("recorded", short(pointer.record_sha256)), ("now", short(record.sha256)))
        return Finding(code="HSH002", place=pointer.target, keys=(pointer.key,), facts=facts)
    if not (is_day(record.review_on) and is_day(record.expires_on)):
        return Finding(code="DAT003", place=pointer.target, keys=(pointer.key,))
    state = "expired" if base.today >= record.expires_on else "due" if base.today >= record.review_on else "upcoming"
    return DueKey(
        key=pointer.key, state=state, review_on=record.review_on, expires_on=record.expires_on, owner=record.owner
    )
