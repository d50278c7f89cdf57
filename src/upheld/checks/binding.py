"""Step 4: the record is the one that the pointer means, and it was written for this key (ATTACKS A21)."""

from __future__ import annotations

from upheld.model.finding import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.chain import Chain


def check(chain: Chain, as_of: str) -> list[Finding]:
    """Report a pointer and a record that do not mean each other."""
    record = chain.current.record
    if record is None or chain.current.faults:
        return []
    findings = []
    if record.id != chain.pointer.record_id:
        facts = (("pointer", chain.pointer.record_id), ("record", record.id))
        findings.append(Finding(code="PTR003", place=record.place, path="id", keys=(chain.key,), facts=facts))
    if record.key not in (None, chain.key):
        facts = (("pointer", chain.key), ("record", record.key or ""))
        findings.append(Finding(code="PTR004", place=record.place, path="key", keys=(chain.key,), facts=facts))
    return findings
