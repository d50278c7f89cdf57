"""The shape of the index follows from its keys alone, whatever its history, and no node is lost or left behind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.model.index import Child, Node
from upheld.wire import index as wire
from upheld.wire import trie

Sides = tuple[Mapping[str, object] | None, Mapping[str, object] | None]
KEYS = [f"key-{number:02}" for number in range(24)]


def entry(key: str, value: int) -> dict[str, object]:
    return {"key": key, "record_id": f"{key}-v{value}"}


edits = st.dictionaries(
    st.sampled_from(KEYS),
    st.tuples(st.sampled_from(["pointer", "retired", "gone"]), st.integers(0, 2)),
    min_size=1,
    max_size=12,
)


class Stored:
    """A trie kept as files by name, changed only through ``update``."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.root = _node(b'{"entries": []}', wire.PLACE, "")

    def load(self, child: Child) -> Node:
        return _node(self.files[child.place], child.place, child.prefix)

    def apply(self, changes: Mapping[str, Sides]) -> None:
        built = trie.update(self.root, changes, self.load)
        before = reachable(self.root, self.files)
        self.files.update(built.files)
        self.root = _node(trie.encode(built.body), wire.PLACE, "")
        after = reachable(self.root, self.files)
        assert set(built.replaces) == before - after, "exactly what nothing leads to any more is replaced"
        assert set(built.files) <= after, "nothing is written that nothing leads to"
        for name in built.replaces:
            del self.files[name]
        assert set(self.files) == after


def _node(data: bytes, place: str, prefix: str) -> Node:
    return wire.decode_node(data, place, prefix)


def reachable(root: Node, files: Mapping[str, bytes]) -> set[str]:
    found: set[str] = set()
    waiting = [root]
    while waiting:
        for child in (waiting.pop().children or {}).values():
            found.add(child.place)
            waiting.append(_node(files[child.place], child.place, child.prefix))
    return found


def sides(key: str, kind: str, value: int) -> Sides:
    made = entry(key, value)
    return (made if kind == "pointer" else None, made if kind == "retired" else None)


@given(st.lists(edits, min_size=1, max_size=8), st.integers(1, 6))
def test_the_shape_follows_from_the_keys_alone(history: list[dict[str, tuple[str, int]]], limit: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trie, "LEAF_LIMIT", limit)
        grown, now = Stored(), dict[str, Sides]()
        for step in history:
            changes = {key: sides(key, kind, value) for key, (kind, value) in step.items()}
            grown.apply(changes)
            now |= changes
        scratch = Stored()
        scratch.apply({key: both for key, both in now.items() if any(both)})
        assert grown.root.raw == scratch.root.raw
        assert grown.files == scratch.files


def test_growing_and_shrinking_across_the_limit_on_disk(tmp_path: Path) -> None:
    """Through real commits: 128 keys are one leaf, the 129th splits it, and taking it out joins it again."""
    from upheld.model.change import Change, Event
    from upheld.services.base import Base
    from upheld.services.commit import Writer, commit
    from upheld.services.init import init
    from upheld.services.remember import plan_remember
    from upheld.services.snapshot import Admission
    from upheld.services.versions import Draft
    from upheld.stores.directory_writer import WritableDirectory

    def draft(key: str) -> Draft:
        return Draft(
            key=key, text=b"Text.\n", because="a test", owner=None, review_on="2026-12-01", expires_on="2027-03-01"
        )

    def all_of(base: Base, keys: list[str]) -> Change:
        changes = [plan_remember(draft(k), read_when="when", trigger=None, nonce="0000")(base) for k in keys]
        return Change(
            events=tuple(event for change in changes for event in change.events),
            files={name: data for change in changes for name, data in change.files.items()},
            entries={key: value for change in changes for key, value in change.entries.items()},
            retired={},
            bases={},
        )

    def without(base: Base, key: str) -> Change:
        pointer = base.pointer(key)
        assert pointer is not None
        gone = (pointer.target,)
        return Change(
            events=(Event(verb="drop", key=key),), files={}, entries={key: None}, retired={}, replaces=gone, bases={}
        )

    with WritableDirectory(str(tmp_path)) as store:
        writer = Writer(
            store=store,
            admit=lambda data, index: Admission(sealed=False),
            sealer=None,
            today="2026-09-14",
            instant=lambda: "2026-09-14T10:00:00Z",
            monotonic=lambda: 0.0,
            by="a test",
        )

        def plan_many(given: Base) -> Change:
            return all_of(given, [f"key-{number:03}" for number in range(128)])

        init(writer, "5f0c6f3a9d7e4b21")
        commit(writer, plan_many)
        one_leaf = wire.decode((tmp_path / "index.json").read_bytes()).node
        assert one_leaf.children is None
        assert len(one_leaf.entries) == 128
        commit(writer, plan_remember(draft("key-128"), read_when="when", trigger=None, nonce="0000"))
        nodes = sorted(path.name for path in (tmp_path / "index").iterdir())
        children = wire.decode((tmp_path / "index.json").read_bytes()).node.children
        assert children is not None
        assert nodes == sorted(child.place.partition("/")[2] for child in children.values())

        def plan_without(given: Base) -> Change:
            return without(given, "key-128")

        commit(writer, plan_without)
        joined = wire.decode((tmp_path / "index.json").read_bytes()).node
        assert joined.entries == one_leaf.entries
        assert not list((tmp_path / "index").iterdir())
