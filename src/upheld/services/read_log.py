"""Read the log backwards from the head that the index names: each event by the digest that the one after it recorded.

So every event that is read hangs from the seal, and what is missing at the old end is only not checked.
"""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.index import Index
from upheld.model.names import short
from upheld.model.value import Value
from upheld.ports.store import ReadableStore
from upheld.trust.order import DELTAS
from upheld.wire import event as wire
from upheld.wire.event import Logged


class LogRead(Value):
    """What could be read, newest first.

    Attributes:
        missing: the newest event that is not there; 0 where all are.
    """

    events: tuple[Logged, ...]
    findings: tuple[Finding, ...]
    missing: int

    @property
    def not_checked(self) -> tuple[str, ...]:
        """What could not be checked, in words."""
        if not self.missing:
            return ()
        which = f"events 1 to {self.missing}" if self.missing > 1 else "event 1"
        return (f"log: {which} (not there, or nothing links to them)",)


def read_log(store: ReadableStore, index: Index) -> LogRead:
    """Read and check the log of one index."""
    events: list[Logged] = []
    findings: list[Finding] = []
    expected = index.log_head
    for number in range(index.version or 0, 0, -1):
        place = wire.name_of(number)
        try:
            data = store.read(place, wire.MAX_BYTES)
            logged = wire.decode(data, place)
        except FaultError as fault:
            if fault.code != "STO001":
                findings.append(finding_of(fault))
            return LogRead(events=tuple(events), findings=tuple(findings), missing=number)
        findings += _faults(logged, number, expected)
        events.append(logged)
        expected = logged.previous
    if expected is not None and index.version:
        findings.append(_broken(1, expected, "nothing"))
    if not findings:
        findings += _miscounted(index, events)
    return LogRead(events=tuple(events), findings=tuple(findings), missing=0)


def _faults(logged: Logged, number: int, expected: str | None) -> list[Finding]:
    found: list[Finding] = []
    if logged.sha256 != expected:
        found.append(_broken(number, expected or "nothing", logged.sha256))
    if logged.number != number:
        facts = (("file", str(number)), ("now", str(logged.number)))
        found.append(Finding(code="LOG001", place=wire.name_of(number), path="number", facts=facts))
    if logged.event.verb not in DELTAS:
        shown = (("verb", ascii(logged.event.verb)[1:41]),)
        found.append(Finding(code="LOG001", place=wire.name_of(number), path="verb", facts=shown))
    return found


def _broken(number: int, expected: str, now: str) -> Finding:
    facts = (("expected", short(expected)), ("now", short(now)))
    return Finding(code="LOG002", place=wire.name_of(number), facts=facts)


def _miscounted(index: Index, events: list[Logged]) -> list[Finding]:
    """From the first event on, what was remembered and retired must add up to what the index holds."""
    deltas = [DELTAS[logged.event.verb] for logged in events]
    logged = (sum(delta[0] for delta in deltas), sum(delta[1] for delta in deltas))
    now = index.node.counts
    if not events or logged == now:
        return []
    facts = (
        ("logged", f"{logged[0]} pointers, {logged[1]} retired"),
        ("now", f"{now[0]} pointers, {now[1]} retired"),
    )
    return [Finding(code="RBK007", place=index.node.place, facts=facts)]
