"""Read everything that belongs to one key: its records, their sources, its bound file.

Two kinds of store, one result. A closed store names each predecessor by digest, so its chain is followed file by file;
in an article store every record is read first and ``checks.pool`` says which belong.
"""

from __future__ import annotations

from upheld.checks.pool import Pool
from upheld.checks.sources import MAX_BYTES as MAX_SOURCE
from upheld.errors import FaultError
from upheld.model.chain import Chain, Member, Source
from upheld.model.index import Pointer
from upheld.wire import index as wire_index
from upheld.wire import record as wire_record
from upheld.wire.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.index import Retired
    from upheld.model.record import Record
    from upheld.ports.store import ReadableStore


def gather(store: ReadableStore, pointer: Pointer | Retired, pool: Pool | None) -> Chain:
    """Read the chain of one pointer.

    Args:
        store: where to read.
        pointer: the entry of the index.
        pool: all records of an article store; None for a closed store.
    """
    is_retired = not isinstance(pointer, Pointer)
    members = _article(store, pointer, pool) if pool is not None else _closed(store, pointer)
    current = members[0]
    bound = None
    if current.record is not None and current.record.bound_source is not None and not is_retired:
        bound = read_source(store.read_bound, current.record.bound_source)
    return Chain(pointer=pointer, current=current, members=members, is_retired=is_retired, bound=bound)


def _closed(store: ReadableStore, pointer: Pointer | Retired) -> tuple[Member, ...]:
    """Follow ``supersedes`` by digest, without recursion; a record that comes up again ends the walk (a circle)."""
    member = _read_member(store, pointer.target, pointer.record_sha256, keep=True)
    members = [member]
    seen: set[str] = set()
    while (record := member.record) is not None and record.supersedes is not None and record.id not in seen:
        seen.add(record.id)
        if record.supersedes in seen:
            break
        member = _predecessor(store, record)
        members.append(member)
    return tuple(members)


def _predecessor(store: ReadableStore, record: Record) -> Member:
    """Find a predecessor under its digest name, or under its plain name as article stores have it."""
    digest = record.supersedes_sha256
    name = f"records/{record.supersedes}"
    if digest is None:
        fault = FaultError("FMT008", record.place, path="supersedes_sha256", detail="it is missing")
        return Member(place=f"{name}.json", record=None, faults=(fault,), claims=frozenset([record.supersedes or ""]))
    member = _read_member(store, f"{name}.{digest[:12]}.json", digest)
    if member.faults and member.faults[0].code == "STO001":
        plain = _read_member(store, f"{name}.json", digest)
        if not (plain.faults and plain.faults[0].code == "STO001"):
            return plain
    return member


def _article(store: ReadableStore, pointer: Pointer | Retired, pool: Pool) -> tuple[Member, ...]:
    """Take the chain from the pool, the record that the pointer leads to first."""
    chain = pool.chain(pointer.target, pointer.record_id, pointer.key)
    current = pool.by_place.get(pointer.target)
    if current is None:
        current = _read_member(store, pointer.target, None)
    current = current.replace(expected_sha256=pointer.record_sha256)
    others = [member for member in chain if member.place != pointer.target]
    return (with_source(store, current, keep=True), *(with_source(store, member) for member in others))


def read_pool(store: ReadableStore) -> Pool:
    """Read every record file of an article store. Sources are read later, for the chains that need them.

    Raises:
        FaultError: the folder of records itself cannot be listed.
    """
    names = [name for name in store.list("records") if wire_index.is_record_name(name)]
    return Pool(read_record(store, name) for name in names)


def _read_member(store: ReadableStore, place: str, expected: str | None, *, keep: bool = False) -> Member:
    member = read_record(store, place)
    return with_source(store, member.replace(expected_sha256=expected), keep=keep)


def read_record(store: ReadableStore, place: str) -> Member:
    """Read one record file; whatever is wrong with it becomes part of the member."""
    try:
        data = store.read(place, wire_record.MAX_BYTES)
    except FaultError as fault:
        return Member(place=place, record=None, faults=(fault,), claims=_stems(place))
    try:
        record, faults = wire_record.decode(data, place)
    except FaultError as fault:
        return Member(place=place, record=None, faults=(fault,), claims=_mentions(data) | _stems(place))
    if faults:
        return Member(place=place, record=record, faults=faults, claims=_mentions(data) | _stems(place))
    return Member(place=place, record=record)


def _mentions(data: bytes) -> frozenset[str]:
    from upheld.wire.strictjson_fault import strings

    return strings(data)


def _stems(place: str) -> frozenset[str]:
    """The ids that a record file's name may stand for: ``<id>.json`` and ``<id>.<digest12>.json``."""
    stem = place.removeprefix("records/").removesuffix(".json")
    return frozenset([stem, stem.rpartition(".")[0] or stem])


def with_source(store: ReadableStore, member: Member, *, keep: bool = False) -> Member:
    """Read a member's source. Its bytes are dropped once they are known to be right, unless they are to be served."""
    record = member.record
    if record is None or any(fault.path == "durable_source" for fault in member.faults):
        return member
    source = read_source(store.read, record.durable_source)
    if not keep and source.sha256 == record.source_sha256:
        source = source.replace(data=None)
    return member.replace(source=source)


def read_source(read: Callable[[str, int], bytes], name: str) -> Source:
    """Read one source or bound file; whatever is wrong with it becomes part of the value."""
    try:
        data = read(name, MAX_SOURCE)
    except FaultError as fault:
        return Source(place=name, data=None, sha256="", fault=fault)
    return Source(place=name, data=data, sha256=sha256_hex(data))
