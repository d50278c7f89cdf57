"""A commit of many keys, and a first pull of a large store, need no more descriptors than any other."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from deep import remember_many
from keeping import kept_store

resource = pytest.importorskip("resource", reason="this system has no limits to set")
KEYS = 400


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """No more open files than a careful system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_descriptors")
def test_many_keys_go_into_one_commit_and_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    memory = kept_store(tmp_path / "one")
    keys = [f"key-{number}" for number in range(KEYS)]
    remember_many(memory.path, keys)
    verdict = memory.verify(processes=1)
    assert (verdict.findings, verdict.keys) == ((), KEYS)
    memory.remember("last", "Put the chairs up.\n", when="Leaving", because="Kindness.")
    shutil.rmtree(memory.path)
    mended = memory.doctor(fix=True)
    assert (mended.findings, memory.recall("key-7").outcome) == ((), "verified")
