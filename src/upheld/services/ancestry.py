"""How two versions of one store are related: by their logs, which only ever grow."""

from __future__ import annotations

from typing import NoReturn

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.answer import Refusal
from upheld.model.change import Event
from upheld.model.finding import Finding, worst_first
from upheld.model.names import short
from upheld.ports.history import WholeVersion
from upheld.services.base import Base
from upheld.services.snapshot import read_index
from upheld.wire import event as wire
from upheld.wire.event import Logged


class Version:
    """One whole version, opened: its files, its index, its log."""

    def __init__(self, store: WholeVersion, today: str) -> None:
        try:
            self.data, index = read_index(store)
        except FaultError as fault:
            refuse(today, finding_of(fault))
        self.store = store
        self.today = today
        self.base = Base(store, index, today)
        self.files = store.files()

    @property
    def number(self) -> int:
        """The version's number."""
        return self.base.index.version or 0

    @property
    def sha256(self) -> str:
        """The digest of its index."""
        return self.base.index.node.sha256

    def events_after(self, number: int) -> tuple[Logged, ...]:
        """Return the events after ``number``, in order, each checked against the digest that the next one names.

        Raises:
            RefusedError: one is missing or does not follow from the one before.
        """
        expected = self.base.index.log_head
        events: list[Logged] = []
        for at in range(self.number, number, -1):
            place = wire.name_of(at)
            try:
                logged = wire.decode(self.store.read(place, wire.MAX_BYTES), place)
            except FaultError as fault:
                refuse(self.today, finding_of(fault))
            if logged.sha256 != expected or logged.number != at:
                facts = (("wanted", short(expected or "nothing")), ("now", short(logged.sha256)))
                refuse(self.today, Finding(code="LOG002", place=place, facts=facts))
            events.append(logged)
            expected = logged.previous
        return tuple(reversed(events))

    def log_head_at(self, number: int) -> str:
        """Return the digest of the event that made version ``number``, which the events after it lead back to.

        Raises:
            RefusedError: see ``events_after``.
        """
        after = self.events_after(number)
        return (after[0].previous if after else self.base.index.log_head) or ""


def common_version(mine: Version, theirs: Version) -> int:
    """Return the number of the newest version that both come from; 0 where they share none.

    Equal bytes of an event mean an equal log up to it, since each event names the digest of the one before.
    """
    for number in range(min(mine.number, theirs.number), 0, -1):
        place = wire.name_of(number)
        if place in mine.files and mine.files[place] == theirs.files.get(place):
            return number
    return 0


def own_events(logged: tuple[Logged, ...]) -> tuple[Event, ...]:
    """Return logged events as events to log again: when and by whom stays as it was."""
    return tuple(entry.event.replace(at=entry.at, by=entry.by) for entry in logged)


def refuse(today: str, *findings: Finding) -> NoReturn:
    """Refuse a whole version.

    Raises:
        RefusedError: always; it carries the findings.
    """
    Refusal(key="", findings=worst_first(findings), as_of=today).require()
    raise AssertionError("a refusal always refuses")
