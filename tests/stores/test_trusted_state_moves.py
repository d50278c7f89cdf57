"""Reading the bytes behind a head while other processes move the head on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from upheld.errors import FaultError
from upheld.model.trusted import Accepted, Head, Trusted
from upheld.stores import state_writer
from upheld.stores.state_directory import read_private
from upheld.stores.state_writer import StateDirectory
from upheld.wire.digest import sha256_hex

ROOT = b'{"keys":[]}'


def index(version: int) -> bytes:
    return json.dumps({"version": version}).encode()


def moved_to(directory: StateDirectory, version: int) -> None:
    """Make a version the head."""
    state = directory.load() or Trusted(place=directory.place)
    made = state.replace(
        store_id="s",
        root_version=1,
        root_sha256=sha256_hex(ROOT),
        head=Head(root_version=1, version=version, sha256=sha256_hex(index(version))),
        valid_until="2099-01-01",
        clock_mark="2026-01-01",
        clock_limit="2099-01-01",
    )
    directory.save(made, Accepted(index=index(version), seals={}, root=ROOT))


@pytest.fixture
def directory(tmp_path: Path) -> StateDirectory:
    (tmp_path / "store").mkdir()
    made = StateDirectory(str(tmp_path / "state"), str(tmp_path / "store"))
    moved_to(made, 1)
    return made


@pytest.mark.parametrize("moves", [1, 2, 5])
def test_a_head_that_moves_between_the_two_reads_is_followed(
    directory: StateDirectory, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    versions = iter(range(2, moves + 2))
    is_moving = False

    def read(path: str, limit: int) -> bytes | None:
        nonlocal is_moving
        if "/accepted/" in path and not is_moving:
            is_moving = True
            if (version := next(versions, None)) is not None:
                moved_to(StateDirectory(directory.root, directory.path), version)
            is_moving = False
        return read_private(path, limit)

    monkeypatch.setattr(state_writer, "read_private", read)
    assert directory.accepted().index == index(moves + 1)


def test_bytes_that_are_really_missing_are_refused(directory: StateDirectory) -> None:
    for path in (Path(directory.root) / "accepted").iterdir():
        path.unlink()
    with pytest.raises(FaultError, match="it is missing"):
        directory.accepted()


def test_bytes_that_do_not_match_are_refused(directory: StateDirectory) -> None:
    for path in (Path(directory.root) / "accepted").iterdir():
        path.write_bytes(path.read_bytes().replace(b'version\\": 1', b'version\\": 7'))
    with pytest.raises(FaultError, match="does not match"):
        directory.accepted()
