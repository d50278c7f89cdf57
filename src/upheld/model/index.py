"""The index: an envelope around the root node of a hash trie of pointers (DESIGN section 2)."""

from __future__ import annotations

from _collections_abc import Mapping  # what `collections.abc` gives, without importing `collections`

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LEAF_LIMIT = 128
"""A node is a leaf while it holds at most this many pointers and retired entries together."""


class Pointer(Value):
    """One entry of the index: a key, when to read it, and its current record at a digest."""

    key: str
    record_id: str
    target: str
    record_sha256: str
    read_when: str
    trigger: Mapping[str, object] | None
    trigger_sha256: str | None
    place: str
    path: str
    fields: Mapping[str, object]


class Retired(Value):
    """What is left of a key that no longer applies; ``renamed_to`` is the key that took over, if one did."""

    key: str
    record_id: str
    target: str
    record_sha256: str
    renamed_to: str | None
    place: str
    path: str
    fields: Mapping[str, object]


class Child(Value):
    """What a node knows of the node below it: digest, and how many pointers and retired entries are down there."""

    prefix: str
    sha256: str
    pointers: int
    retired: int

    @property
    def place(self) -> str:
        """The file of the child, relative to the store."""
        return f"index/{self.prefix}.{self.sha256[:12]}.json"


class Children(Mapping[str, Child]):
    """Children by digit, each made when it is asked for: a recall asks a node for one.

    Args:
        prefix: of the node.
        values: for each digit ``sha256``, ``pointers`` and ``retired``, which were found to be sound.
    """

    __slots__ = ("_prefix", "_values")

    def __init__(self, prefix: str, values: Mapping[str, Any]) -> None:
        self._prefix = prefix
        self._values = values

    def __getitem__(self, digit: str) -> Child:
        value = self._values[digit]
        return Child(
            prefix=self._prefix + digit,
            sha256=value["sha256"],
            pointers=value["pointers"],
            retired=value["retired"],
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def counts(self) -> tuple[int, int]:
        """How many pointers and retired entries all of them have."""
        return (
            sum([value["pointers"] for value in self._values.values()]),
            sum([value["retired"] for value in self._values.values()]),
        )


class Node(Value):
    """One node of the trie. ``entries`` and ``retired`` are parsed JSON, decoded one by one when they are asked for.

    ``prefix`` is the run of hexadecimal digits that leads here; empty for the root. ``children`` is None for a leaf.
    """

    place: str
    prefix: str
    raw: bytes
    sha256: str
    entries: tuple[object, ...]
    retired: tuple[object, ...]
    children: Mapping[str, Child] | None
    fields: Mapping[str, object]

    @property
    def counts(self) -> tuple[int, int]:
        """How many pointers and retired entries stand in or below the node, by its own account."""
        if self.children is None:
            return len(self.entries), len(self.retired)
        if type(self.children) is Children:
            return self.children.counts
        below = self.children.values()
        return sum(child.pointers for child in below), sum(child.retired for child in below)


class Index(Value):
    """The envelope: which store this is and which version, and the root node.

    ``version`` is None in an article store; then nothing says which records belong, and all of them are read.
    """

    node: Node
    store_id: str | None
    version: int | None
    issued_at: str | None
    root_version: int | None
    root_sha256: str | None
    log_head: str | None

    @property
    def is_closed(self) -> bool:
        """Whether the store is a closed set: what its index names exists, and nothing else does."""
        return self.version is not None
