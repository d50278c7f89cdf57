"""Step 5: the supersession chain. Both ends name each other, nothing runs in a circle, one record is current.

These are the article's rules, applied to the records that one key's chain touches. Nothing here recurses, so a chain of
ten thousand corrections is walked like a chain of two.
"""

from __future__ import annotations

from upheld.model.finding import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from upheld.model.chain import Chain
    from upheld.model.record import Record


def check(chain: Chain, as_of: str) -> list[Finding]:
    """Report every fault of status and links in the chain."""
    records = [member.record for member in chain.members if member.record is not None and not member.faults]
    claimed = frozenset(claim for member in chain.members for claim in member.claims)
    by_id = {record.id: record for record in records}
    findings = _duplicates(records, chain.key) + _successors(records, chain.key) + _circles(by_id, chain.key)
    leads_on = chain.current.record if chain.is_renamed else None
    for record in records:
        findings += _status(record, chain.key)
        if record is not leads_on:  # its other end belongs to the new key, under which both are checked
            findings += _forward(record, by_id, claimed, chain.key)
        findings += _backward(record, by_id, claimed, chain.key)
    return findings + _currents(chain, records)


def _fault(code: str, record: Record, path: str, key: str, *facts: tuple[str, str]) -> Finding:
    return Finding(code=code, place=record.place, path=path, keys=(key,), facts=facts)


def _duplicates(records: list[Record], key: str) -> list[Finding]:
    first: dict[str, Record] = {}
    findings = []
    for record in records:
        other = first.setdefault(record.id, record)
        if other is not record:
            findings.append(_fault("SUP003", record, "id", key, ("id", record.id), ("also", other.place)))
    return findings


def _successors(records: list[Record], key: str) -> list[Finding]:
    first: dict[str, Record] = {}
    findings = []
    for record in records:
        if record.supersedes is None:
            continue
        other = first.setdefault(record.supersedes, record)
        if other is not record and other.id != record.id:
            facts = (("superseded", record.supersedes), ("also by", other.place))
            findings.append(_fault("LNK006", record, "supersedes", key, *facts))
    return findings


def _circles(by_id: Mapping[str, Record], key: str) -> list[Finding]:
    """Follow ``superseded_by`` from each record once; a walk that meets itself is a circle, reported once."""
    settled: set[str] = set()
    findings = []
    for start in by_id:
        walk: dict[str, None] = {}
        cursor: str | None = start
        while cursor is not None and cursor in by_id and cursor not in settled and cursor not in walk:
            walk[cursor] = None
            record = by_id[cursor]
            cursor = record.superseded_by if record.status == "superseded" else None
        if cursor is not None and cursor in walk and by_id[cursor].superseded_by != cursor:
            around = list(walk)[list(walk).index(cursor) :]
            shown = " -> ".join([*around[:5], "…"] if len(around) > 5 else [*around, cursor])
            findings.append(_fault("LNK005", by_id[cursor], "superseded_by", key, ("circle", shown)))
        settled.update(walk)
    return findings


def _status(record: Record, key: str) -> list[Finding]:
    if record.status == "current":
        if record.superseded_by is None:
            return []
        code = "LNK004" if record.superseded_by == record.id else "SUP005"
        return [_fault(code, record, "superseded_by", key, ("names", record.superseded_by))]
    if record.status == "superseded":
        return [] if record.superseded_by is not None else [_fault("SUP006", record, "superseded_by", key)]
    return [_fault("SUP004", record, "status", key, ("status", record.status))]


def _forward(record: Record, by_id: Mapping[str, Record], claimed: frozenset[str], key: str) -> list[Finding]:
    """A superseded record's successor exists and names it back."""
    name = record.superseded_by
    if record.status != "superseded" or name is None:
        return []
    if name == record.id:
        return [_fault("LNK004", record, "superseded_by", key, ("names", name))]
    if name not in by_id:
        return [] if name in claimed else [_fault("LNK002", record, "superseded_by", key, ("names", name))]
    back = by_id[name].supersedes
    if back == record.id:
        return []
    facts = (("here", f"superseded_by {name}"), (by_id[name].place, f"supersedes {back or 'nothing'}"))
    return [_fault("LNK003", record, "superseded_by", key, *facts)]


def _backward(record: Record, by_id: Mapping[str, Record], claimed: frozenset[str], key: str) -> list[Finding]:
    """A record's predecessor exists, is superseded, and names it as its successor."""
    name = record.supersedes
    if name is None:
        return []
    if name == record.id:
        return [_fault("LNK004", record, "supersedes", key, ("names", name))]
    if name not in by_id:
        return [] if name in claimed else [_fault("LNK001", record, "supersedes", key, ("names", name))]
    predecessor = by_id[name]
    if predecessor.status == "superseded" and predecessor.superseded_by == record.id:
        return []
    says = f"{predecessor.status}, superseded_by {predecessor.superseded_by or 'nothing'}"
    return [_fault("LNK003", record, "supersedes", key, ("here", f"supersedes {name}"), (predecessor.place, says))]


def _currents(chain: Chain, records: list[Record]) -> list[Finding]:
    findings = []
    served = chain.current.record
    is_sound = served is not None and not chain.current.faults
    if served is not None and is_sound and served.status == "superseded" and not chain.is_renamed:
        facts = (("superseded by", served.superseded_by or "nothing"),)
        findings.append(_fault("SUP001", served, "status", chain.key, *facts))
    currents = [record for record in records if record.is_current]
    if len(currents) > 1:
        shown = tuple(("current", record.place) for record in currents[:5])
        findings.append(Finding(code="SUP002", place=currents[0].place, path="status", keys=(chain.key,), facts=shown))
    return findings
