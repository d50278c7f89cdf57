"""The bytes of the index and of its lower nodes to values, and a pointer at a time.

Only the shape of a node is judged as a whole. Entries are decoded one by one when they are asked for, so that one bad
entry refuses its own key only, and a recall does not pay for the keys it does not want.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.index import Child, Children, Index, Node, Pointer, Retired
from upheld.wire import strictjson
from upheld.wire.digest import sha256_hex, sha256_of_key
from upheld.wire.fields import Fields, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

PLACE = "index.json"
SCHEMA = "1.0"
MAX_BYTES = strictjson.MAX_BYTES
MAX_DEPTH = 64
"""How deep the trie may be: the digest of a key has no more digits to go by."""
_DIGITS = "0123456789abcdef"
_DIGIT = frozenset(_DIGITS)


def decode(data: bytes) -> Index:
    """Decode ``index.json``.

    Raises:
        FaultError: the first thing wrong with the envelope or with the shape of the root node.
    """
    values = strictjson.parse(data, PLACE, limit=MAX_BYTES)
    schema = values.get("schema_version")
    if schema is not None and schema != SCHEMA:
        raise FaultError("FMT012", PLACE, path="schema_version", detail=f"{schema!r:.40}")
    fields = Fields(values, PLACE)
    root = Fields(fields.mapping("root") or {}, PLACE, "root")
    log = Fields(fields.mapping("log") or {}, PLACE, "log")
    index = Index(
        node=_node(values, data, PLACE, "", fields),
        store_id=fields.optional_text("store_id"),
        version=fields.count("version") if values.get("version") is not None else None,
        issued_at=fields.optional_text("issued_at"),
        root_version=root.count("version") if root.values else None,
        root_sha256=root.digest("sha256") if root.values else None,
        log_head=log.digest("head") if log.values else None,
    )
    for cursor in (fields, root, log):
        if cursor.faults:
            raise cursor.faults[0]
    return index


def decode_node(data: bytes, place: str, prefix: str) -> Node:
    """Decode one lower node of the index.

    Raises:
        FaultError: the first thing wrong with the node's shape.
    """
    values = strictjson.parse(data, place, limit=MAX_BYTES)
    fields = Fields(values, place)
    node = _node(values, data, place, prefix, fields)
    if fields.faults:
        raise fields.faults[0]
    return node


def _node(values: Mapping[str, object], data: bytes, place: str, prefix: str, fields: Fields) -> Node:
    children = fields.mapping("children")
    if children is None and "entries" not in values:
        fields.fault("FMT008", "entries", "it is missing")
    node = Node(
        place=place,
        prefix=prefix,
        raw=data,
        sha256=sha256_hex(data),
        entries=fields.array("entries"),
        retired=fields.array("retired"),
        children=None if children is None else _children(children, prefix, place),
        fields=values,
    )
    if children is not None and (node.entries or node.retired):
        fields.fault("FMT007", "entries", "a node holds entries or children, never both")
    return node


def _children(values: Mapping[str, object], prefix: str, place: str) -> Mapping[str, Child]:
    if len(prefix) >= MAX_DEPTH:
        raise FaultError("FMT006", place, path="children", detail="the index is deeper than a digest is long")
    if _are_sound(values):
        return Children(prefix, values)
    made = {}
    for digit, value in values.items():
        if len(digit) != 1 or digit not in _DIGITS or not isinstance(value, dict):
            raise FaultError("FMT007", place, path="children", detail="one hexadecimal digit to an object is wanted")
        fields = Fields(value, place, f"children.{digit}")
        made[digit] = Child(
            prefix=prefix + digit,
            sha256=fields.digest("sha256"),
            pointers=fields.count("pointers"),
            retired=fields.count("retired"),
        )
        if fields.faults:
            raise fields.faults[0]
    return made


def _are_sound(values: Mapping[str, Any]) -> bool:
    """Whether children are as nearly all are, by functions that step in C: a recall from a deep store meets dozens."""
    if not values or not _DIGIT.issuperset(values) or set(map(type, values.values())) != {dict}:
        return False
    try:
        rows = [(value["sha256"], value["pointers"], value["retired"]) for value in values.values()]
    except KeyError:
        return False
    digests, *counts = zip(*rows, strict=True)
    return (
        set(map(type, digests)) == {str}
        and set(map(len, digests)) == {64}
        and not "".join(digests).strip(_DIGITS)
        and all(set(map(type, column)) == {int} and min(column) >= 0 for column in counts)
    )


def key_of(entry: object) -> str | None:
    """Return the key of a raw entry, or None where it has none that can be read."""
    key = entry.get("key") if type(entry) is dict else None
    return key if type(key) is str else None


def positions(entries: tuple[object, ...], key: str) -> list[int]:
    """Return where ``key`` stands among raw entries; more than one position is a fault that the caller reports."""
    return [number for number, entry in enumerate(entries) if type(entry) is dict and entry.get("key") == key]


def decode_pointer(entry: object, place: str, number: int) -> tuple[Pointer, tuple[FaultError, ...]]:
    """Decode the entry that stands at ``entries[number]``, and report every field that is wrong."""
    fields = _entry(entry, place, f"entries[{number}]")
    pointer = Pointer(
        key=fields.text("key"),
        record_id=fields.text("record_id"),
        target=_target(fields),
        record_sha256=fields.digest("record_sha256"),
        read_when=fields.optional_text("read_when") or "",
        trigger=fields.mapping("trigger"),
        trigger_sha256=fields.optional_digest("trigger_sha256"),
        place=place,
        path=fields.path,
        fields=fields.values,
    )
    return pointer, _faults(entry, fields)


def decode_retired(entry: object, place: str, number: int) -> tuple[Retired, tuple[FaultError, ...]]:
    """Decode the entry that stands at ``retired[number]``, and report every field that is wrong."""
    fields = _entry(entry, place, f"retired[{number}]")
    retired = Retired(
        key=fields.text("key"),
        record_id=fields.text("record_id"),
        target=_target(fields),
        record_sha256=fields.digest("record_sha256"),
        renamed_to=fields.optional_text("renamed_to"),
        place=place,
        path=fields.path,
        fields=fields.values,
    )
    return retired, _faults(entry, fields)


def _entry(entry: object, place: str, path: str) -> Fields:
    if type(entry) is dict:
        return Fields(entry, place, path)
    fields = Fields({}, place, path)
    fields.faults.append(FaultError("FMT007", place, path=path, detail=f"an object is wanted, not {kind(entry)}"))
    return fields


def _faults(entry: object, fields: Fields) -> tuple[FaultError, ...]:
    """What is wrong with an entry; of one that is no object, nothing more needs to be said."""
    return tuple(fields.faults if type(entry) is dict else fields.faults[:1])


def _target(fields: Fields) -> str:
    """A record stands directly in ``records/`` and ends in ``.json``: the article's reader finds it nowhere else."""
    target = fields.path_name("target")
    if target and not fields.faults and not is_record_name(target):
        fields.fault("STO002", "target", "a record stands directly in records/ and ends in .json")
    return target


def is_record_name(name: str) -> bool:
    """Whether ``name`` is where a record may stand."""
    return name.startswith("records/") and name.endswith(".json") and name.count("/") == 1


def key_prefix(key: str) -> str:
    """Return the hexadecimal digits that lead from the root node to a key's leaf: the SHA-256 of the key."""
    return sha256_of_key(key.encode("utf-8", "surrogatepass")).hexdigest()
