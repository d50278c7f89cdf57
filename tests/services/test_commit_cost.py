"""What one commit reads, lists and hands to history does not grow with the store: one path is replaced, and no more."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from deep import remember_many
from keeping import kept_store
from team_world import GIT
from upheld.compose.judging import build_near
from upheld.compose.library import Memory
from upheld.compose.writing import base_of
from upheld.model.trigger_edit import TriggerEdit
from upheld.model.value import Value
from upheld.stores.directory import DirectoryStore

SIZES = (200, 2_000)
VERBS: dict[str, Callable[[Memory], object]] = {
    "remember": lambda memory: memory.remember("new", "Ask before it is done.\n", when="Before it", because="So."),
    "correct": lambda memory: memory.correct("new", "Ask twice before it is done.\n", because="Once is too few."),
    "triggers": lambda memory: memory.triggers.add("new", TriggerEdit(fires=("about to do it",), tools=("Doer",))),
    "review": lambda memory: memory.review("new", confirm=True, evidence="Looked."),
    "rename": lambda memory: memory.rename("new", "newer", because="A better name."),
    "retire": lambda memory: memory.retire("newer", because="Done."),
    "restore": lambda memory: memory.restore("newer", to="1", because="Not done after all."),
}


class Cost(Value):
    """Files read, names listed, and bytes that history grew by."""

    read: int
    listed: int
    kept: int


def kept_bytes(home: Path) -> int:
    return sum(path.stat().st_size for path in (home / "state").rglob("*.pack"))


def costs(folder: Path, keys: int, patch: pytest.MonkeyPatch) -> dict[str, Cost]:
    """Make a store of so many keys, and count what each verb costs in it."""
    patch.setenv("HOME", str(folder))
    patch.setenv("XDG_STATE_HOME", str(folder / "state"))
    patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    memory = kept_store(folder)
    remember_many(memory.path, (f"key-{number}" for number in range(keys)))
    # The first commit after that brings history up to date, and is not counted.
    memory.remember("first", "Look before you leap.\n", when="Leaping", because="It is wise.")
    with base_of(memory, "doctor") as base:
        build_near(base, memory.path)
    count = {"read": 0, "listed": 0}
    read, listed = DirectoryStore.read, DirectoryStore.list

    def counted_read(store: DirectoryStore, name: str, limit: int) -> bytes:
        count["read"] += 1
        return read(store, name, limit)

    def counted_list(store: DirectoryStore, folder: str) -> tuple[str, ...]:
        names = listed(store, folder)
        count["listed"] += len(names)
        return names

    found: dict[str, Cost] = {}
    with patch.context() as counting:
        counting.setattr(DirectoryStore, "read", counted_read)
        counting.setattr(DirectoryStore, "list", counted_list)
        for verb, act in VERBS.items():
            count["read"] = count["listed"] = 0
            before = kept_bytes(folder)
            act(memory)
            found[verb] = Cost(read=count["read"], listed=count["listed"], kept=kept_bytes(folder) - before)
    return found


@pytest.mark.skipif(GIT is None, reason="git is not installed")
def test_no_verb_costs_more_in_a_larger_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (costs(tmp_path / str(keys), keys, monkeypatch) for keys in SIZES)
    for verb in VERBS:
        # A level more of the trie, each time that a path is read; nothing that counts keys.
        assert large[verb].read <= 1.5 * small[verb].read, verb
        assert large[verb].listed <= small[verb].listed + 10, verb
        # Folders of sixteen fill up, and then grow no more; one flat folder of 2,000 names is 80 kB.
        assert 0 < large[verb].kept <= 25_000, verb


@pytest.mark.skipif(GIT is None, reason="git is not installed")
def test_a_check_out_of_history_is_spread_and_read_by_the_same_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs(tmp_path, 3, monkeypatch)
    [repository] = (path.parent for path in (tmp_path / "state").rglob("upheld-newest.json"))
    listed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "refs/upheld/history"],
        cwd=repository, capture_output=True, text=True, check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
    ).stdout.split()  # fmt: skip
    assert {name.count("/") for name in listed if name.startswith(("records/", "sources/", "log/"))} == {4}
