"""migrate: seal a store that has no seal (the article's, for one).

The store becomes a closed set: every record that belongs to a key says which key, and names its predecessor at a
digest, so that the whole chain hangs from the index. Texts, dates and ids stay as they are; so does every field that we
do not know. What no pointer leads to is left lying, and is no part of the store any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from upheld.checks import check_chain
from upheld.errors import UsageError
from upheld.model.chain import Chain
from upheld.model.change import Change, Event
from upheld.model.finding import Finding
from upheld.model.index import Index, Pointer
from upheld.model.record import Record
from upheld.services.base import Base
from upheld.services.versions import ordered
from upheld.wire import record as wire_record
from upheld.wire.digest import sha256_hex
from upheld.wire.index import decode_pointer

DUE = frozenset({"DAT001", "DAT002"})
"""What does not stand in the way: a record that is due is refused before and after."""


def plan_migrate() -> Callable[[Base], Change]:
    """Return the plan that turns an unsealed store of either kind into a closed set, every key with an event.

    Raises:
        UsageError: (by the plan) the store is sealed already.
        RefusedError: (by the plan) a key's chain is damaged: mend it first, or its damage would be sealed.
    """

    def plan(base: Base) -> Change:
        if base.index.root_version is not None:
            raise UsageError("the store is sealed already", help="see `upheld trust show`")
        chains = [base.chain(pointer) for pointer in pointers(base.index)]
        for chain in chains:
            base.refuse(chain.key, _obstacles(base, chain))
        return _change(base, chains)

    return plan


def pointers(index: Index) -> list[Pointer]:
    """Return every pointer of a store that has not been sealed yet: such stores are one leaf.

    Raises:
        UsageError: an entry cannot be read, or the index has lower nodes.
    """
    if index.node.children is not None:
        raise UsageError("only an index of one node can be migrated")
    found = []
    for number, entry in enumerate(index.node.entries):
        pointer, faults = decode_pointer(entry, index.node.place, number)
        if faults:
            raise UsageError(f"{faults[0]}", help="mend it first: `upheld verify --unsealed` shows every fault")
        found.append(pointer)
    return found


def _obstacles(base: Base, chain: Chain) -> list[Finding]:
    return [finding for finding in check_chain(chain, base.today) if finding.code not in DUE]


def _change(base: Base, chains: list[Chain]) -> Change:
    files: dict[str, bytes] = {}
    entries: dict[str, Mapping[str, object] | None] = {}
    replaces: list[str] = []
    events: list[Event] = [] if base.index.is_closed else [Event(verb="migrate")]
    for chain in chains:
        made, entry, gone, digest = _bound(chain)
        files |= made
        entries[chain.key] = entry
        replaces += gone
        if not base.index.is_closed:
            events.append(Event(verb="remember", key=chain.key, before=None, after=digest))
    if base.index.is_closed:
        events.append(Event(verb="seal"))
    return Change(
        events=tuple(events),
        files=files,
        entries=entries,
        retired={},
        replaces=tuple(name for name in replaces if name not in files),
        bases={chain.key: chain.pointer.record_sha256 for chain in chains},
    )


def _bound(chain: Chain) -> tuple[dict[str, bytes], dict[str, object], list[str], str]:
    """Rewrite a chain from its oldest record on, each naming the digest of the one before it."""
    files: dict[str, bytes] = {}
    gone: list[str] = []
    digest: str | None = None
    place = ""
    for record in _oldest_first(chain):
        fields = {**record.fields, "key": record.key or chain.key}
        if digest is not None:
            fields["supersedes_sha256"] = digest
        data = record.raw if fields == record.fields else wire_record.encode(ordered(fields))
        digest = sha256_hex(data)
        place = record.place if data == record.raw else f"records/{record.id}.{digest[:12]}.json"
        files[place] = data
        if place != record.place:
            gone.append(record.place)
    pointer = chain.pointer
    if digest is None:
        raise AssertionError("a chain has a record")
    entry = {**pointer.fields, "target": place, "record_sha256": digest}
    return files, entry, gone, digest


def _oldest_first(chain: Chain) -> list[Record]:
    by_id = {member.record.id: member.record for member in chain.members if member.record is not None}
    record = chain.current.record
    newest_first: list[Record] = []
    while record is not None:
        newest_first.append(record)
        record = by_id.get(record.supersedes) if record.supersedes is not None else None
    return newest_first[::-1]
