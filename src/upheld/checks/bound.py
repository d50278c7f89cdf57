"""Step 8: a bound source is served only while the live file holds the bytes that were verified (DESIGN section 2)."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.model.finding import Finding
from upheld.model.names import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.chain import Chain


def check(chain: Chain, as_of: str) -> list[Finding]:
    """Report a bound file that is missing, changed, or behind (an earlier version of the same chain)."""
    record, live = chain.current.record, chain.bound
    if record is None or live is None or chain.is_retired:
        return []
    if live.fault is not None:
        if live.fault.code != "STO001":
            return [finding_of(live.fault, chain.key)]
        return [Finding(code="SRC004", place=live.place, keys=(chain.key,))]
    if live.sha256 == record.source_sha256:
        return []
    facts: tuple[tuple[str, str], ...] = (("recorded", short(record.source_sha256)), ("now", short(live.sha256)))
    for member in chain.members:
        if member.record is not None and member.record.source_sha256 == live.sha256:
            facts += (("version", f"the file is as {member.record.id} had it"),)
            return [Finding(code="SRC002", place=live.place, keys=(chain.key,), facts=facts)]
    from upheld.checks.cause import likely_cause  # deferred: a sound recall never needs it

    cause = likely_cause(live.data or b"", record.source_sha256)
    return [Finding(code="SRC001", place=live.place, keys=(chain.key,), facts=facts, cause=cause)]
