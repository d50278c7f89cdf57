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


@pytest.mark.parametrize("size", [1, 2, 3, 7, 99, 100, 101])
def test_a_file_of_several_slabs_is_read_whole_or_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr("upheld.stores.folder_reader._SLAB", 3)
    data = bytes(range(size))
    (folder / "records" / "some.json").write_bytes(data)
    with Files(str(folder)) as files:
        assert files.reader("records", LIMIT)("some.json") == (data if size <= LIMIT else None)


@pytest.mark.parametrize("at_a_time", [1, 2, 1024])
def test_the_names_are_those_of_the_list(folder: Path, monkeypatch: pytest.MonkeyPatch, at_a_time: int) -> None:
    monkeypatch.setattr("upheld.stores.files._NAMES", at_a_time)
    with DirectoryStore(str(folder)) as store:
        listing = list(store.listing("records"))
        names = {name for some, _ in listing for name in some}
        assert sorted(f"records/{name}" for name in names) == list(store.list("records"))
        odd = {"folder.json", "link.json", "pipe.json"} & names
        assert all(are_regular == odd.isdisjoint(some) for some, are_regular in listing)
        assert list(store.listing("nowhere")) == []
        with pytest.raises(FaultError):
            list(store.listing("records/plain.json"))
