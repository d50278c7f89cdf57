"""history: every version of one key, newest first, with what is wrong with it.

Nothing is served from here: a superseded text stays superseded. What cannot be read is listed as such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upheld.checks import check_chain
from upheld.checks.finding_of import finding_of
from upheld.errors import BusyError, FaultError
from upheld.model.answer import Refusal
from upheld.model.finding import worst_first
from upheld.model.history import History, Version
from upheld.services.gather import gather, read_pool
from upheld.services.recall import ATTEMPTS, entry_of, unknown
from upheld.services.snapshot import index_bytes, is_still
from upheld.wire import index as wire

if TYPE_CHECKING:
    from upheld.model.chain import Chain, Member
    from upheld.model.finding import Finding
    from upheld.ports.store import ReadableStore
    from upheld.services.recall import Admit


def history(store: ReadableStore, key: str, *, as_of: str, today: str, admit: Admit) -> History | Refusal:
    """Return the chain of ``key``, of retired keys too; a refusal where there is no entry to start from.

    Raises:
        BusyError: the index kept moving through every attempt.
    """
    for _ in range(ATTEMPTS):
        before, outcome = _attempt(store, key, as_of, today, admit)
        if not outcome.findings or is_still(store, before):
            return outcome
    raise BusyError("the store kept changing while it was read", help="try again in a moment")


def _attempt(
    store: ReadableStore, key: str, as_of: str, today: str, admit: Admit
) -> tuple[bytes | None, History | Refusal]:
    data: bytes | None = None
    try:
        data = index_bytes(store)
        index = wire.decode(data)
        admission = admit(data, index)
        findings = list(admission.refusals)
        if not findings:
            entry, findings = entry_of(store, index, key)
            if entry is not None:
                chain = gather(store, entry, None if index.is_closed else read_pool(store))
                found = worst_first(tuple(check_chain(chain, as_of)))
                return data, History(
                    outcome="failed" if found else "verified" if admission.sealed else "unsealed",
                    key=key,
                    versions=_versions(chain, found),
                    findings=found,
                    as_of=as_of,
                    hypothetical=as_of != today,
                    sealed=admission.sealed,
                    not_checked=admission.not_checked,
                    retired=chain.is_retired,
                    renamed_to=getattr(entry, "renamed_to", None),
                )
            if not findings:
                return data, unknown(store, index, key, as_of, today)
    except FaultError as fault:
        findings = [finding_of(fault, key)]
    found = worst_first(tuple(findings))
    return data, Refusal(key=key, findings=found, as_of=as_of, hypothetical=as_of != today)


def _versions(chain: Chain, findings: tuple[Finding, ...]) -> tuple[Version, ...]:
    return tuple(_version(member, chain, findings) for member in _newest_first(chain))


def _newest_first(chain: Chain) -> list[Member]:
    """Follow ``supersedes`` from the current record; what no link reaches comes last, in order of place."""
    by_id = {member.record.id: member for member in chain.members if member.record is not None}
    waiting = {member.place: member for member in chain.members}
    ordered: list[Member] = []
    member: Member | None = chain.current
    while member is not None and member.place in waiting:
        ordered.append(waiting.pop(member.place))
        name = member.record.supersedes if member.record is not None else None
        member = by_id.get(name) if name is not None else None
    return ordered + [waiting[place] for place in sorted(waiting)]


def _version(member: Member, chain: Chain, findings: tuple[Finding, ...]) -> Version:
    record = member.record
    places = {member.place, member.source.place if member.source is not None else member.place}
    own = tuple(finding for finding in findings if finding.place in places)
    is_served = member.place == chain.current.place and not chain.is_retired
    if record is None:
        return Version(place=member.place, record_id=None, status=None, is_served=is_served, findings=own)
    return Version(
        place=member.place,
        record_id=record.id,
        status=record.status,
        is_served=is_served,
        recorded_on=record.recorded_on,
        last_verified=record.last_verified,
        review_on=record.review_on,
        expires_on=record.expires_on,
        change_reason=record.change_reason,
        owner=record.owner,
        reviewed_by=record.reviewed_by,
        evidence=record.evidence,
        source=record.bound_source or record.durable_source,
        source_sha256=record.source_sha256,
        sha256=record.sha256,
        findings=own,
    )
