"""Build the index: apply edits to the hash trie and give every changed node its bytes.

The shape follows from the set of keys alone (DESIGN section 2, "One index form"): a node is a leaf while it holds at
most ``LEAF_LIMIT`` pointers and retired entries together, so growing past the limit splits it and shrinking back joins
it again. Only nodes on the path of a touched key are read or written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps

from upheld.model.index import LEAF_LIMIT, Child, Node
from upheld.model.value import Value
from upheld.wire.digest import sha256_hex
from upheld.wire.index import key_of, key_prefix

Entry = Mapping[str, object]
Edits = Mapping[str, tuple[Entry | None, Entry | None]]
"""For each touched key its pointer and its retired entry from now on; None for neither."""
Load = Callable[[Child], Node]


class Built(Value):
    """The new root node's fields, the new lower nodes by name, and the names of those that they replace."""

    body: Mapping[str, object]
    files: Mapping[str, bytes]
    replaces: tuple[str, ...]
    pointers: int
    retired: int


class _Leaf(Value):
    entries: Mapping[str, Entry]
    retired: Mapping[str, Entry]

    @property
    def size(self) -> int:
        return len(self.entries) + len(self.retired)


def update(root: Node, edits: Edits, load: Load) -> Built:
    """Apply ``edits`` to the trie under ``root``.

    Args:
        root: the root node as it is now.
        edits: the touched keys.
        load: reads and verifies one child; raises what the caller wants raised.
    """
    builder = _Builder(load)
    body, pointers, retired = builder.node(root, edits)
    gone = tuple(sorted(builder.gone - set(builder.files)))
    return Built(body=body, files=builder.files, replaces=gone, pointers=pointers, retired=retired)


class _Builder:
    def __init__(self, load: Load) -> None:
        self._load = load
        self.files: dict[str, bytes] = {}
        self.gone: set[str] = set()

    def node(self, node: Node, edits: Edits) -> tuple[dict[str, object], int, int]:
        """Return the fields of the edited node and its two counts."""
        if node.children is None:
            return self._fields(_edited(_leaf(node), edits), node.prefix)
        children = dict(node.children)
        for digit, part in _by_digit(edits, len(node.prefix)).items():
            child = self._child(children.get(digit), node.prefix + digit, part)
            if child is None:
                children.pop(digit, None)
            else:
                children[digit] = child
        if sum(child.pointers + child.retired for child in children.values()) <= LEAF_LIMIT:
            return self._fields(self._join(children), node.prefix)
        return _inner(children)

    def _child(self, child: Child | None, prefix: str, edits: Edits) -> Child | None:
        if child is None:
            body, pointers, retired = self._fields(_edited(_Leaf(entries={}, retired={}), edits), prefix)
        else:
            self.gone.add(child.place)
            body, pointers, retired = self.node(self._load(child), edits)
        return self._placed(body, prefix, pointers, retired) if pointers + retired else None

    def _fields(self, leaf: _Leaf, prefix: str) -> tuple[dict[str, object], int, int]:
        """Return a leaf's fields, or those of the inner node that it has to become."""
        if leaf.size <= LEAF_LIMIT:
            body: dict[str, object] = {"entries": [leaf.entries[key] for key in sorted(leaf.entries)]}
            if leaf.retired:
                body["retired"] = [leaf.retired[key] for key in sorted(leaf.retired)]
            return body, len(leaf.entries), len(leaf.retired)
        children = {}
        for digit, part in _split(leaf, len(prefix)).items():
            below, pointers, retired = self._fields(part, prefix + digit)
            children[digit] = self._placed(below, prefix + digit, pointers, retired)
        return _inner(children)

    def _placed(self, body: dict[str, object], prefix: str, pointers: int, retired: int) -> Child:
        data = encode(body)
        child = Child(prefix=prefix, sha256=sha256_hex(data), pointers=pointers, retired=retired)
        self.files[child.place] = data
        return child

    def _join(self, children: Mapping[str, Child]) -> _Leaf:
        entries: dict[str, Entry] = {}
        retired: dict[str, Entry] = {}
        for child in children.values():
            leaf = self._leaf_below(child)
            entries.update(leaf.entries)
            retired.update(leaf.retired)
        return _Leaf(entries=entries, retired=retired)

    def _leaf_below(self, child: Child) -> _Leaf:
        """Read a child that is going to be joined: one that was just written, or one from the store."""
        written = self.files.pop(child.place, None)
        if written is None:
            self.gone.add(child.place)
            node = self._load(child)
        else:
            from upheld.wire.index import decode_node

            node = decode_node(written, child.place, child.prefix)
        return self._join(node.children) if node.children is not None else _leaf(node)


def encode(fields: Mapping[str, object]) -> bytes:
    """Write a node, or the envelope with its root node, as bytes."""
    return (dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _inner(children: Mapping[str, Child]) -> tuple[dict[str, object], int, int]:
    listed = {
        digit: {"sha256": child.sha256, "pointers": child.pointers, "retired": child.retired}
        for digit, child in sorted(children.items())
    }
    pointers = sum(child.pointers for child in children.values())
    return {"children": listed}, pointers, sum(child.retired for child in children.values())


def _leaf(node: Node) -> _Leaf:
    return _Leaf(entries=_keyed(node.entries), retired=_keyed(node.retired))


def _keyed(entries: tuple[object, ...]) -> dict[str, Entry]:
    return {key: entry for entry in entries if (key := key_of(entry)) is not None and isinstance(entry, dict)}


def _edited(leaf: _Leaf, edits: Edits) -> _Leaf:
    entries, retired = dict(leaf.entries), dict(leaf.retired)
    for key, (entry, old) in edits.items():
        for kept, value in ((entries, entry), (retired, old)):
            kept.pop(key, None)
            if value is not None:
                kept[key] = value
    return _Leaf(entries=entries, retired=retired)


def _by_digit(edits: Edits, depth: int) -> dict[str, dict[str, tuple[Entry | None, Entry | None]]]:
    parts: dict[str, dict[str, tuple[Entry | None, Entry | None]]] = {}
    for key, edit in edits.items():
        parts.setdefault(key_prefix(key)[depth], {})[key] = edit
    return parts


def _split(leaf: _Leaf, depth: int) -> dict[str, _Leaf]:
    digits = sorted({key_prefix(key)[depth] for key in (*leaf.entries, *leaf.retired)})
    return {
        digit: _Leaf(
            entries={key: entry for key, entry in leaf.entries.items() if key_prefix(key)[depth] == digit},
            retired={key: entry for key, entry in leaf.retired.items() if key_prefix(key)[depth] == digit},
        )
        for digit in digits
    }
