"""One version of the index, admitted or refused, and the reads that hang from it."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.checks.trie import child_of, open_child
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.wire import index as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.index import Index, Node
    from upheld.ports.store import ReadableStore


class Admission(Value):
    """Whether an index may be used, and what stands behind that.

    Attributes:
        sealed: a seal was checked, or the trusted state vouches for these very bytes.
        refusals: why the index must not be used at all; empty where it may.
        notices: what to tell the reader all the same.
        not_checked: what was not checked, and why.
    """

    sealed: bool
    refusals: tuple[Finding, ...] = ()
    notices: tuple[Finding, ...] = ()
    not_checked: tuple[str, ...] = ()


def index_bytes(store: ReadableStore) -> bytes:
    """Read the bytes of the index as they are now.

    Raises:
        FaultError: it is missing or unsafe.
    """
    return store.read(wire.PLACE, wire.MAX_BYTES)


_DECODED: list[tuple[bytes, Index]] = []


def decoded(data: bytes) -> Index:
    """Decode the bytes of an index; the very same bytes as the last time are not decoded again.

    For those who only read: what is returned is shared.

    Raises:
        FaultError: they are malformed.
    """
    for known, index in _DECODED:
        if known == data:
            return index
    index = wire.decode(data)
    _DECODED[:] = [(data, index)]
    return index


def is_still(store: ReadableStore, before: bytes | None) -> bool:
    """Whether the index is still what an attempt read (None where it could not even be read)."""
    try:
        return index_bytes(store) == before
    except FaultError:
        return before is None


def read_index(store: ReadableStore) -> tuple[bytes, Index]:
    """Step 1: read and decode the index.

    Raises:
        FaultError: it is missing, unsafe or malformed; every key is refused.
    """
    data = index_bytes(store)
    return data, wire.decode(data)


def leaf_of(store: ReadableStore, index: Index, key: str) -> tuple[Node | None, list[Finding]]:
    """Step 2: follow the one path of the trie that leads to ``key``.

    Returns:
        The leaf that would hold the key, and what is wrong on the way; no leaf and no finding where the trie has no
        node for such keys, which means that the key is unknown.
    """
    node = index.node
    while True:
        child = child_of(node, key)
        if child is None:
            return (node if node.children is None else None), []
        try:
            data = store.read(child.place, wire.MAX_BYTES)
        except FaultError as fault:
            return None, [finding_of(fault, key)]
        below, findings = open_child(child, data)
        if below is None or findings:
            return None, [finding.replace(keys=(key,)) for finding in findings]
        node = below
