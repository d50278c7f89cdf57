"""Step 6: every source of the chain is at its digest, and the current one holds a text that can be served."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.checks.instruction import instruction
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.names import short
from upheld.wire.text import decode, forbidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.chain import Chain, Source
    from upheld.model.record import Record

MAX_BYTES = 256 * 1024
"""The largest source that is read, in bytes. What is served is the whole text, so this bounds an answer."""


def check(chain: Chain, as_of: str) -> list[Finding]:
    """Report sources that are missing, unsafe, changed or without an instruction."""
    findings = []
    for member in chain.members:
        if member.source is None or member.record is None:
            continue
        found = _check_one(chain.key, member.record, member.source)
        if not found and member.place == chain.current.place:
            found = _check_text(chain.key, member.source)
        findings += found
    return findings


def _check_one(key: str, record: Record, source: Source) -> list[Finding]:
    if source.fault is not None:
        return [finding_of(source.fault, key)]
    if source.sha256 == record.source_sha256:
        return []
    from upheld.checks.cause import likely_cause  # deferred: a sound recall never needs it

    since = f"on {record.last_verified} by {record.place}" if record.last_verified else f"by {record.place}"
    return [
        Finding(
            code="HSH001",
            place=source.place,
            keys=(key,),
            facts=(("recorded", f"{short(record.source_sha256)}   {since}"), ("now", short(source.sha256))),
            cause=likely_cause(source.data or b"", record.source_sha256),
        )
    ]


def _check_text(key: str, source: Source) -> list[Finding]:
    try:
        text = decode(source.data or b"", source.place)
    except FaultError as fault:
        return [finding_of(fault, key)]
    controls = forbidden(text)
    if controls:
        return [Finding(code="FMT009", place=source.place, keys=(key,), facts=(("detail", controls),))]
    return [] if instruction(text) else [Finding(code="SRC003", place=source.place, keys=(key,))]
