"""What an article store needs besides its keys: the article's rules hold for every record, whichever key reaches it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upheld.checks import check_chain
from upheld.model.chain import Chain, Member
from upheld.model.index import Retired
from upheld.services.gather import with_source

if TYPE_CHECKING:
    from upheld.checks.pool import Pool
    from upheld.model.finding import Finding
    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Tally

# Nothing points here, so nothing can be bound wrongly, due, or served: a chain like that of a retired key, whose
# "current" record is no member.
_NOTHING = Member(place="", record=None)
_NOBODY = Retired(
    key="", record_id="", target="", record_sha256="", renamed_to=None, place="index.json", path="", fields={}
)


def verify_unreached(store: ReadableStore, pool: Pool, tally: Tally, as_of: str) -> None:
    """Check the records that no pointer's chain reaches.

    The article's reader stops at a fault in any of them; here they are errors of the store that refuse no key, since no
    answer rests on them. Counts every record and source of the pool once.
    """
    reached = frozenset(tally.named)
    done: set[str] = set()
    sources: set[str] = set()
    for place, member in pool.by_place.items():
        if member.record is not None:
            sources.add(member.record.durable_source)
        tally.is_cut |= member.record is None or bool(member.faults)
        if hash(place) in reached or place in done:
            continue
        members = _component(pool, member)
        done.update(other.place for other in members)
        members = tuple(with_source(store, other) for other in members if hash(other.place) not in reached)
        tally.add(without_key(check_chain(_chain(members), as_of)))
    tally.records += len(pool.by_place)
    tally.sources += len(sources)


def _component(pool: Pool, member: Member) -> tuple[Member, ...]:
    if member.record is None:
        return (member,)
    return pool.chain(member.place, member.record.id, "")


def _chain(members: tuple[Member, ...]) -> Chain:
    return Chain(pointer=_NOBODY, current=_NOTHING, members=members, is_retired=True)


def without_key(findings: list[Finding]) -> list[Finding]:
    """Return findings that refuse nothing."""
    return [finding.replace(keys=()) for finding in findings]
