"""Step 3: every record file of the chain is readable, whole, and at the digest that names it."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.model.finding import Finding
from upheld.model.names import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.chain import Chain, Member


def check(chain: Chain, as_of: str) -> list[Finding]:
    """Report unreadable records, wrong fields, and digests that do not match."""
    findings = []
    for member in chain.members:
        findings += [finding_of(fault, chain.key) for fault in member.faults]
        if member.record is not None and member.expected_sha256 not in (None, member.record.sha256):
            findings.append(_mismatch(chain, member, member.record.raw, member.record.sha256))
    return findings


def _mismatch(chain: Chain, member: Member, raw: bytes, now: str) -> Finding:
    from upheld.checks.cause import likely_cause  # deferred: a sound recall never needs it

    expected = member.expected_sha256 or ""
    is_current = member.place == chain.current.place
    return Finding(
        code="HSH002" if is_current else "HSH003",
        place=member.place,
        keys=(chain.key,),
        facts=(
            ("recorded", f"{short(expected)}   by {chain.pointer.place if is_current else 'its successor'}"),
            ("now", short(now)),
        ),
        cause=likely_cause(raw, expected),
    )
