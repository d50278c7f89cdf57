"""init: the first version of a store."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.change import Change, Committed, Event
from upheld.model.index import Index, Node
from upheld.services.base import Base
from upheld.services.commit import DEADLINE_SECONDS, Writer, assemble, carry_out, exclusive
from upheld.wire import index as wire
from upheld.wire import trie

ATTRIBUTES = b"# No checkout changes a byte of this folder: its digests are over the bytes as stored.\n* -text\n"
_OURS = frozenset({"README.md", "index", "records", "sources", "triggers", "seals", "trust", "log", "proposals"})
README = b"""# A store of verified memory

This folder holds instructions that coding agents may act on. It is kept by Upheld, and each part vouches for the next:
`index.json` names one current record a key at a digest, the record names its source at a digest, and `seals/` holds
the signature over the index. Editing a file by hand makes its key refused, by design.

* Read an instruction: `upheld recall KEY`      * See what there is: `upheld index`
* Change one: `upheld correct KEY`              * Check everything: `upheld verify`
"""
_EXTRA = {".gitattributes": ATTRIBUTES, "README.md": README}


def init(writer: Writer, store_id: str, change: Change | None = None) -> Committed:
    """Make the first version of a store in an empty place.

    Args:
        writer: see ``services.commit``.
        store_id: who this store is, wherever it lies.
        change: what the first version is to hold besides (a trust root); its events come first.

    Raises:
        UsageError: there is a store already.
        StorageError: the disk failed; there is no store.
    """
    with exclusive(writer):
        check_place(writer)
        late = writer.monotonic() + DEADLINE_SECONDS
        base, change = _start(writer, store_id, change)
        return carry_out(writer, base, change, late, _EXTRA)


def _start(writer: Writer, store_id: str, change: Change | None) -> tuple[Base, Change]:
    base = Base(writer.store, empty(store_id), writer.today)
    start = Change(events=(Event(verb="init"),), files={}, entries={}, retired={}, bases={})
    return base, start if change is None else change.replace(events=(*start.events, *change.events))


def check_place(writer: Writer) -> None:
    """Refuse a folder that holds a store already, or something else; what a cut-short attempt left is no hindrance.

    Raises:
        UsageError: it does.
    """
    there = set(writer.store.list(""))
    if wire.PLACE in there:
        raise UsageError("there is a store here already", help="see `upheld index`")
    others = sorted(name for name in there - _OURS if not name.startswith("."))
    if others:
        raise UsageError(
            f"the folder is not empty: it holds {others[0]!r:.80}", help="name a new folder: `upheld init DIR`"
        )


def first_version(
    writer: Writer, store_id: str, change: Change | None = None
) -> tuple[Change, bytes, dict[str, bytes]]:
    """Return the first version of a store: its change, its index and its other files. Nothing is written."""
    base, change = _start(writer, store_id, change)
    index, files, _ = assemble(writer, base, change)
    return change, index, {**files, **_EXTRA}


def empty(store_id: str) -> Index:
    """Return version 0 of a store: nothing, not even an event."""
    fields: dict[str, object] = {"schema_version": wire.SCHEMA, "store_id": store_id}
    data = trie.encode({**fields, "entries": []})
    node = Node(
        place=wire.PLACE,
        prefix="",
        raw=data,
        sha256="",
        entries=(),
        retired=(),
        children=None,
        fields=fields,
    )
    return Index(
        node=node, store_id=store_id, version=0, issued_at=None, root_version=None, root_sha256=None, log_head=None
    )
