"""For a key that nobody knows: the keys that look most like it, and whom to ask."""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.value import Value
from upheld.services.leaves import Start, keys_of, walk
from upheld.wire import index as wire
from upheld.wire import record as wire_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from upheld.model.index import Index, Node
    from upheld.ports.store import ReadableStore

MOST_NODES = 64
"""How many index nodes are read at most: a refusal of a misspelt key must not read a store of a million."""
MOST_KEYS = 3
_MOST_COMPARED = 8192
_LONGEST = 256
_MOST_OWNERS = 3


class Nearest(Value):
    """The nearest keys, best first, and the owners that their records name, one text."""

    keys: tuple[str, ...]
    owner: str


def nearest(store: ReadableStore, index: Index, key: str) -> Nearest:
    """Return the keys nearest to ``key``, as far as a bounded look at the index shows them.

    The text is for a person who mistyped: nothing of it was verified, and nothing is served because of it.
    """
    from difflib import get_close_matches

    entries = dict(_entries(store, index))
    wanted = key[:_LONGEST].casefold()
    by_form: dict[str, str] = {}
    for known in entries:
        by_form.setdefault(known[:_LONGEST].casefold(), known)
    close = tuple(by_form[form] for form in get_close_matches(wanted, sorted(by_form), n=MOST_KEYS, cutoff=0.5))
    owners = dict.fromkeys(owner for known in close if (owner := _owner(store, entries[known])))
    return Nearest(keys=close, owner=", ".join(list(owners)[:_MOST_OWNERS]))


def _entries(store: ReadableStore, index: Index) -> Iterator[tuple[str, object]]:
    for number, step in enumerate(walk(store, [Start(node=index.node)])):
        if step.node is not None and step.node.children is None:
            yield from _keyed(step.node)
        if number + 1 >= MOST_NODES:
            return


def _keyed(node: Node) -> Iterator[tuple[str, object]]:
    if len(keys_of(node)) > _MOST_COMPARED:
        return
    for entry in node.entries:
        known = wire.key_of(entry)
        if known:
            yield known, entry


def _owner(store: ReadableStore, entry: object) -> str | None:
    """Return the owner that a pointer's record names, where the record is the one that the pointer means."""
    pointer, faults = wire.decode_pointer(entry, "", 0)
    if faults:
        return None
    try:
        record, wrong = wire_record.decode(store.read(pointer.target, wire_record.MAX_BYTES), pointer.target)
    except FaultError:
        return None
    return None if wrong or record.sha256 != pointer.record_sha256 else record.owner
