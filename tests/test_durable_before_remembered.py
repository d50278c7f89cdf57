"""A reader may meet an index whose writer has not made its name durable yet.

If it remembered that index and a power loss took it back, the store would look rolled back: a false alarm. So the name
is made durable first, and where it cannot be, nothing is remembered and the read goes on.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keeping import environment, kept_store
from upheld.compose import gate as compose
from upheld.compose.library import Memory
from upheld.errors import StorageError


@pytest.fixture
def behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A store whose newest version this client has not seen: its state is that of the version before."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    memory = kept_store(tmp_path)
    state = tmp_path / "state"
    kept = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
    memory.remember("deploys", "Deploy on Tuesdays.", when="Before deploying", because="agreed")
    for path in state.rglob("*.json"):
        path.unlink()
    for path, data in kept.items():
        if path.exists() is False:
            path.write_bytes(data)
            path.chmod(0o600)
    return memory


def _remembered(memory: Memory) -> int:
    from upheld.stores.state_directory import StateReader

    state = StateReader(os.path.join(os.environ["XDG_STATE_HOME"], "upheld"), memory.path).load()
    assert state is not None
    assert state.head is not None
    return state.head.version


def test_the_name_is_made_durable_before_the_head_moves(behind: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(compose, "_sync", lambda path: seen.append(_remembered(behind)))
    assert behind.recall("deploys").outcome == "verified"
    assert seen == [1]
    assert _remembered(behind) == 2


def test_what_cannot_be_made_durable_is_served_and_not_remembered(
    behind: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(path: str) -> None:
        raise StorageError("the disk failed")

    monkeypatch.setattr(compose, "_sync", fails)
    answer = behind.recall("deploys").require()
    assert [notice.code for notice in answer.notices] == ["RBK015"]
    assert _remembered(behind) == 1
