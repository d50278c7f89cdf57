"""The quick reader of one folder gives what the general one gives, and refuses whatever that refuses."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from upheld.errors import FaultError
from upheld.stores.directory import DirectoryStore
from upheld.stores.files import Files

LIMIT = 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "store" / "records"
    inside.mkdir(parents=True)
    (inside / "plain.json").write_bytes(b"{}")
    (inside / "empty.json").write_bytes(b"")
    (inside / "full.json").write_bytes(b"x" * LIMIT)
    (inside / "large.json").write_bytes(b"x" * (LIMIT + 1))
    (inside / "folder.json").mkdir()
    (inside / "con.json").write_bytes(b"{}")
    (inside / "Com1").write_bytes(b"{}")
    (inside / "dot.").write_bytes(b"{}")
    (inside / "a b.json").write_bytes(b"{}")
    (inside / "é.json").write_bytes(b"{}")
    (tmp_path / "outside.json").write_bytes(b"{}")
    if os.name == "posix":
        (inside / "link.json").symlink_to(inside / "plain.json")
        os.mkfifo(inside / "pipe.json")
    return tmp_path / "store"


NAMES = (
    "plain.json", "empty.json", "full.json", "large.json", "folder.json", "con.json", "Com1", "dot.", "a b.json",
    "é.json", "link.json", "pipe.json", "missing.json", "", ".", "..", "../outside.json", "folder.json/x",
    "../../outside.json", "/etc/hostname", "x" * 300, "a\0b", "a:b", "a\\b", "\ud800",
)  # fmt: skip


@pytest.mark.parametrize("leaf", NAMES)
def test_it_refuses_what_the_general_reader_refuses_and_gives_the_same_bytes(folder: Path, leaf: str) -> None:
    with Files(str(folder)) as files:
        quick = files.reader("records", LIMIT)(leaf)
        try:
            general = files.read(f"records/{leaf}", LIMIT)
        except FaultError:
            general = None
    assert quick in (general, None)
    if leaf in ("plain.json", "empty.json", "full.json") and os.name == "posix":
        assert quick is not None


def test_a_folder_that_is_missing_or_a_link_gives_nothing(folder: Path) -> None:
    (folder / "sources").symlink_to(folder / "records")
    with Files(str(folder)) as files:
        assert files.reader("sources", LIMIT)("plain.json") is None
        assert files.reader("nowhere", LIMIT)("plain.json") is None


def test_a_file_that_changes_size_while_it_is_read_is_left_to_the_general_reader(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = os.read
    monkeypatch.setattr("upheld.stores.files.os.read", lambda descriptor, size: whole(descriptor, size)[:1])
    with Files(str(folder)) as files:
        assert files.reader("records", LIMIT)("plain.json") is None


def test_the_names_are_those_of_the_list(folder: Path) -> None:
    with DirectoryStore(str(folder)) as store:
        assert sorted(f"records/{name}" for name in store.names("records")) == list(store.list("records"))
        assert store.names("nowhere") == []
        with pytest.raises(FaultError):
            store.names("records/plain.json")
