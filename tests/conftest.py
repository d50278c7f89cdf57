"""Hypothesis never fails a test for being slow: machines differ, and a law does not.

``HYPOTHESIS_PROFILE=thorough`` looks twenty times as long for an exception.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from keeping import environment, kept_store
from upheld.compose.library import Memory

settings.register_profile("upheld", deadline=None, print_blob=True)
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "upheld"))


@pytest.fixture(autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes what this user's own Upheld remembers, or uses this user's keys."""
    home = tmp_path_factory.mktemp("home")
    for name in ("SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "UPHELD_STORE", "UPHELD_KEY", "UPHELD_OWNER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A new store to write to, in the working directory of a person with nothing else."""
    for name in [*os.environ]:
        if name not in environment(tmp_path) and name.startswith(("UPHELD_", "XDG_", "GIT_", "VISUAL", "EDITOR")):
            monkeypatch.delenv(name)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return kept_store(tmp_path / "work")
