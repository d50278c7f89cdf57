"""An opened route index that a process keeps between routes is used only while it is still what it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from upheld.model.route import Route, Rule
from upheld.routing.build import build
from upheld.routing.index import Index
from upheld.stores.route_file import kept, shipped_lexicon

posix_only = pytest.mark.skipif(os.name != "posix", reason="nothing is kept there")
FIRST, SECOND = bytes([1]) * 32, bytes([2]) * 32


def put(file: Path, digest: bytes, sentence: str) -> None:
    """Replace the index in one step, as a writer does."""
    rules = (Rule(key="alpha", read_when=sentence),)
    fresh = file.with_suffix(".new")
    fresh.write_bytes(build(rules, digest=digest, lexicon=shipped_lexicon()))
    fresh.chmod(0o600)
    fresh.replace(file)


def opened(file: Path, digest: bytes) -> Index:
    found = kept(str(file), digest)
    assert isinstance(found, Index)
    return found


@posix_only
def test_the_same_index_is_opened_once(tmp_path: Path) -> None:
    file = tmp_path / "a.route"
    put(file, FIRST, "Before a release.")
    assert opened(file, FIRST) is opened(file, FIRST)


def test_an_index_that_was_replaced_is_opened_anew(tmp_path: Path) -> None:
    file = tmp_path / "a.route"
    put(file, FIRST, "Before a release.")
    assert opened(file, FIRST).read_when(0) == "Before a release."
    put(file, FIRST, "Before a receipt.")
    assert opened(file, FIRST).read_when(0) == "Before a receipt."


def test_an_index_of_another_version_is_never_served(tmp_path: Path) -> None:
    file = tmp_path / "a.route"
    put(file, FIRST, "Before a release.")
    opened(file, FIRST)
    found = kept(str(file), SECOND)
    assert isinstance(found, Route)
    assert found.outcome == "unchecked"


def test_an_index_that_is_gone_is_not_served(tmp_path: Path) -> None:
    file = tmp_path / "a.route"
    put(file, FIRST, "Before a release.")
    opened(file, FIRST)
    file.unlink()
    assert kept(str(file), FIRST) is None


@posix_only
def test_an_index_that_others_may_write_now_is_not_served(tmp_path: Path) -> None:
    file = tmp_path / "a.route"
    put(file, FIRST, "Before a release.")
    opened(file, FIRST)
    file.chmod(0o666)
    assert kept(str(file), FIRST) is None
