"""A new key that some file system takes for one that is there is refused, at a cost that does not grow with the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from upheld.errors import StorageError, UsageError
from upheld.ports.near import Near
from upheld.services import current_instructions
from upheld.services.base import Base, Lookalikes
from upheld.services.lookalikes import by_index, by_walk
from upheld.services.near import catch_up
from upheld.services.remember import check_new_key
from upheld.services.snapshot import read_index
from upheld.stores.near_file import NearFile
from upheld.testing.builder import StoreBuilder
from upheld.testing.memory_store import MemoryStore


def store_of(plain: int, *odd: str, retired: str = "") -> MemoryStore:
    """A store with plain keys, keys of another form, and one of another form that was retired."""
    builder = StoreBuilder()
    for key in (*(f"key-{number}" for number in range(plain)), *odd):
        builder.remember(key, f"# {key}\n\nDo as {key} says.\n")
    if retired:
        builder.retire(retired, "# Old\n\nDo it.\n", "# Retired\n\nDo not.\n")
    return builder.store()


class Counting(MemoryStore):
    """A store that counts what is read of it."""

    count = 0

    def read(self, name: str, limit: int) -> bytes:
        self.count += 1
        return super().read(name, limit)


def asking(near: Near) -> Lookalikes:
    return lambda base, key: by_index(base, key, near, lambda: False)


@pytest.fixture
def near(tmp_path: Path) -> NearFile:
    return NearFile(str(tmp_path / "near" / "a.sqlite"))


@pytest.mark.parametrize("plain", [3, 400])
@pytest.mark.parametrize("key", ["straße", "Key-Of-Old", "ＯＤＤ"])
def test_the_index_names_what_a_walk_names(near: NearFile, plain: int, key: str) -> None:
    store = store_of(plain, "Key-Of-Old", "STRASSE")
    base = Base(store, read_index(store)[1], "2026-01-01")
    for wanted in (key, "key-of-old", "strasse", "free"):
        assert sorted(by_index(base, wanted, near, lambda: False)) == sorted(by_walk(base, wanted))


def test_a_retired_key_of_another_form_is_seen_too(near: NearFile) -> None:
    store = store_of(400, retired="Old-Rule")
    base = Base(store, read_index(store)[1], "2026-01-01", asking(near))
    with pytest.raises(UsageError, match="`old-rule` and `Old-Rule` are one name"):
        check_new_key(base, "old-rule")


def test_what_the_index_remembers_and_the_store_has_not_is_no_obstacle(near: NearFile) -> None:
    before, now = store_of(400, "Old-Rule"), store_of(400)
    catch_up(Base(before, read_index(before)[1], "2026-01-01"), near, lambda: False)
    base = Base(now, read_index(now)[1], "2026-01-01")
    assert by_index(base, "old-rule", near, lambda: False) == []


@pytest.mark.parametrize("trouble", ["late", "broken"])
def test_without_the_index_the_store_itself_is_asked(
    near: NearFile, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_of(400, "Old-Rule")
    base = Base(store, read_index(store)[1], "2026-01-01")
    if trouble == "broken":

        def broken(folded: str) -> tuple[str, ...]:
            raise StorageError("the disk is gone")

        monkeypatch.setattr(near, "folding_to", broken)
    assert by_index(base, "old-rule", near, lambda: trouble == "late") == ["Old-Rule"]


def test_a_new_key_costs_no_more_in_a_larger_store(tmp_path: Path) -> None:
    assert current_instructions.MAX_COMPARED < 500
    costs = []
    for keys in (500, 3_000):
        store = Counting(store_of(keys).files)
        index = read_index(store)[1]
        known = NearFile(str(tmp_path / f"{keys}.sqlite"))
        catch_up(Base(store, index, "2026-01-01"), known, lambda: False)
        store.count = 0
        check_new_key(Base(store, index, "2026-01-01", asking(known)), "x")
        costs.append(store.count)
        known.close()
    assert costs[1] <= costs[0] + 2, "one path of the trie, which is a level deeper, and no walk"
