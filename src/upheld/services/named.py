"""Every file that the current index leads to: what must never be removed, whatever a note or a collector thinks."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.errors import FaultError
from upheld.model.chain import Chain
from upheld.model.index import Index, Node
from upheld.ports.store import ReadableStore
from upheld.services.gather import gather, read_record
from upheld.services.snapshot import read_index
from upheld.wire import event as wire_event
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex

_AT_ROOT = frozenset([wire.PLACE, ".gitattributes", "README.md"])


def named(store: ReadableStore) -> frozenset[str]:
    """Return the name of every file that the index, read afresh, leads to; nothing where there is no index.

    Raises:
        FaultError: the index, a node or a record of it cannot be read, so that not every name can be told.
    """
    try:
        _, index = read_index(store)
    except FaultError as fault:
        if fault.code == "STO001":
            return frozenset()
        raise
    entries = _of_closed(store, index) if index.is_closed else _of_article(store, index)
    return _AT_ROOT | frozenset(entries) | frozenset(_of_envelope(store, index))


def _of_envelope(store: ReadableStore, index: Index) -> Iterator[str]:
    yield from (wire_event.name_of(number) for number in range(1, (index.version or 0) + 1))
    yield from (name for name in store.list("seals") if name.startswith(f"seals/{index.node.sha256}."))
    for name in store.list("trust"):
        number = name.removeprefix("trust/").partition(".")[0]
        if not (number.isascii() and number.isdigit()) or int(number) <= (index.root_version or 0):
            yield name


def _of_closed(store: ReadableStore, index: Index) -> Iterator[str]:
    for node in _nodes(store, index.node):
        if node.place != wire.PLACE:
            yield node.place
        for number, entry in enumerate(node.entries):
            pointer, faults = wire.decode_pointer(entry, node.place, number)
            yield from _of_chain(gather(store, pointer, None), faults)
            yield from _trigger(pointer.key, pointer.trigger_sha256)
        for number, entry in enumerate(node.retired):
            retired, faults = wire.decode_retired(entry, node.place, number)
            yield from _of_chain(gather(store, retired, None), faults)
            # A retired key keeps its examples, for the day that it is restored.
            kept = retired.fields.get("trigger_sha256")
            yield from _trigger(retired.key, kept if isinstance(kept, str) else None)


def _of_chain(chain: Chain, faults: tuple[FaultError, ...]) -> Iterator[str]:
    for member in chain.members:
        faults += member.faults
        if member.record is None or faults:
            raise faults[0] if faults else FaultError("STO006", member.place)
        if member.record.sha256 != member.expected_sha256:
            raise FaultError("HSH002", member.place)
        yield member.place
        yield member.record.durable_source


def _trigger(key: str, digest: str | None) -> Iterator[str]:
    if digest is not None:
        yield f"triggers/{key}.{digest[:12]}.json"


def _nodes(store: ReadableStore, node: Node) -> Iterator[Node]:
    """Walk the trie without recursion; a node must be the one that its parent names."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        for child in (node.children or {}).values():
            below = wire.decode_node(store.read(child.place, wire.MAX_BYTES), child.place, child.prefix)
            if below.sha256 != child.sha256:
                raise FaultError("HSH004", child.place)
            waiting.append(below)


def _of_article(store: ReadableStore, index: Index) -> Iterator[str]:
    """In an article store everything belongs, but for records in the form that only we write and no pointer leads to.

    Those are what a first commit of ours to such a store left behind when it died before its swap.
    """
    targets = set()
    for number, entry in enumerate(index.node.entries):
        pointer, _ = wire.decode_pointer(entry, wire.PLACE, number)
        targets.add(pointer.target)
    for name in store.list("records"):
        if name in targets or not _has_digest_name(store, name):
            yield name
            record = read_record(store, name).record
            if record is not None:
                yield record.durable_source


def _has_digest_name(store: ReadableStore, name: str) -> bool:
    try:
        data = store.read(name, wire.MAX_BYTES)
    except FaultError:
        return False
    return name.endswith(f".{sha256_hex(data)[:12]}.json")
