"""What others look like or share with a key is found by the near index as by a walk, at a cost that does not grow."""

from __future__ import annotations

from pathlib import Path

import pytest

from upheld.errors import StorageError, UsageError
from upheld.model.change import Change
from upheld.model.route import Rule, Trigger
from upheld.ports.near import Near
from upheld.services import current_instructions
from upheld.services.base import Base
from upheld.services.lookup import Indexed, Walk
from upheld.services.near import catch_up
from upheld.services.relations import no_longer_named
from upheld.services.remember import check_new_key
from upheld.services.snapshot import read_index
from upheld.services.ties import names_key, rule_ties
from upheld.services.triggers import lint_in
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


def asking(near: Near) -> Indexed:
    return Indexed(near, lambda: False)


@pytest.fixture
def near(tmp_path: Path) -> NearFile:
    return NearFile(str(tmp_path / "near" / "a.sqlite"))


@pytest.mark.parametrize("plain", [3, 400])
@pytest.mark.parametrize("key", ["straße", "Key-Of-Old", "ＯＤＤ"])
def test_the_index_names_what_a_walk_names(near: NearFile, plain: int, key: str) -> None:
    store = store_of(plain, "Key-Of-Old", "STRASSE")
    base = Base(store, read_index(store)[1], "2026-01-01")
    for wanted in (key, "key-of-old", "strasse", "free"):
        assert sorted(asking(near).lookalikes(base, wanted)) == sorted(Walk().lookalikes(base, wanted))


def test_a_retired_key_of_another_form_is_seen_too(near: NearFile) -> None:
    store = store_of(400, retired="Old-Rule")
    base = Base(store, read_index(store)[1], "2026-01-01", asking(near))
    with pytest.raises(UsageError, match="`old-rule` and `Old-Rule` are one name"):
        check_new_key(base, "old-rule")


def test_what_the_index_remembers_and_the_store_has_not_is_no_obstacle(near: NearFile) -> None:
    before, now = store_of(400, "Old-Rule"), store_of(400)
    catch_up(Base(before, read_index(before)[1], "2026-01-01"), near, lambda: False)
    base = Base(now, read_index(now)[1], "2026-01-01")
    assert asking(near).lookalikes(base, "old-rule") == ()


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
    assert Indexed(near, lambda: trouble == "late").lookalikes(base, "old-rule") == ("Old-Rule",)


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


def tied_store() -> MemoryStore:
    """A large store in which some pointers share a sentence, a matcher, an example, or name each other."""
    builder = StoreBuilder()
    for number in range(400):
        builder.remember(
            f"key-{number}",
            f"# {number}\n\nDo as rule {number} says.\n",
            pointer={"read_when": f"About rule {number}."},
        )
    builder.remember(
        "one",
        "# One\n\nDo one.\n",
        pointer={"read_when": "Before a database release.", "trigger": {"paths": ["docs/**"]}},
    )
    builder.remember(
        "two",
        "# Two\n\nDo two.\n",
        pointer={"read_when": "When the database is to be released?", "trigger": {"together_with": ["one"]}},
    )
    builder.remember(
        "three", "# Three\n\nDo three.\n", pointer={"trigger": {"paths": ["docs/**"], "overrides": ["two", 7]}}
    )
    return builder.store()


@pytest.mark.parametrize(
    ("ties", "wanted"),
    [
        (rule_ties(Rule(key="x", read_when="databases: before the release")), {"one", "two"}),
        (rule_ties(Rule(key="x", read_when="", trigger=Trigger(paths=("docs/**",)))), {"one", "three"}),
        (frozenset((names_key("one"),)), {"two"}),
        (frozenset((names_key("two"),)), {"three"}),
        (frozenset((names_key("three"),)), set()),
    ],
)
def test_the_index_finds_what_a_walk_finds_to_be_tied(near: NearFile, ties: frozenset[str], wanted: set[str]) -> None:
    store = tied_store()
    base = Base(store, read_index(store)[1], "2026-01-01")
    for lookup in (Walk(), asking(near), Indexed(near, lambda: True)):
        assert {pointer.key for pointer in lookup.tied(base, ties)} == wanted


def test_ties_that_were_changed_are_followed(near: NearFile) -> None:
    """Only the trigger of a pointer changes here, and neither its record nor its sentence."""
    before = tied_store()
    catch_up(Base(before, read_index(before)[1], "2026-01-01"), near, lambda: False)
    after = StoreBuilder()
    for number in range(400):
        after.remember(
            f"key-{number}",
            f"# {number}\n\nDo as rule {number} says.\n",
            pointer={"read_when": f"About rule {number}."},
        )
    after.remember(
        "one",
        "# One\n\nDo one.\n",
        pointer={"read_when": "Before a database release.", "trigger": {"tools": ["Editor"]}},
    )
    base = Base(after.store(), read_index(after.store())[1], "2026-01-01")
    ties = rule_ties(Rule(key="x", read_when="", trigger=Trigger(tools=("Editor",))))
    assert [pointer.key for pointer in asking(near).tied(base, ties)] == ["one"]
    assert asking(near).tied(base, frozenset((names_key("one"),))) == ()


@pytest.mark.parametrize("is_indexed", [False, True])
def test_a_key_that_goes_is_named_nowhere_afterwards(near: NearFile, is_indexed: bool) -> None:
    store = tied_store()
    base = Base(store, read_index(store)[1], "2026-01-01", asking(near) if is_indexed else None)
    nothing = Change(events=(), files={}, entries={}, retired={}, bases={})
    change = no_longer_named(lambda _: nothing, "two", "second")(base)
    assert [event.key for event in change.events] == ["three"]
    entry = change.entries["three"]
    assert entry is not None
    assert entry["trigger"] == {"paths": ["docs/**"], "overrides": ["second", 7]}


@pytest.mark.parametrize("is_indexed", [False, True])
def test_a_trigger_is_judged_against_those_that_it_shares_something_with(near: NearFile, is_indexed: bool) -> None:
    store = tied_store()
    base = Base(store, read_index(store)[1], "2026-01-01", asking(near) if is_indexed else None)

    def codes(**given: object) -> list[str]:
        rule = Rule(key="new", **{"read_when": "Something else.", **given})  # type: ignore[arg-type]
        return sorted(found.code for found in lint_in(base, rule))

    assert codes() == []
    assert codes(read_when="before the database releases") == ["TRG006"]
    assert codes(fires=("this is about rule 17",)) == ["TRG006"]
    assert codes(trigger=Trigger(paths=("docs/**",))) == ["TRG006"]
    assert codes(trigger=Trigger(overrides=("one", "nobody"))) == ["TRG005"]
