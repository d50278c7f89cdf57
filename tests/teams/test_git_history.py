from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from team_world import GIT, Person, bare, git
from upheld.errors import StorageError
from upheld.services.install import install
from upheld.stores import git_commit
from upheld.stores.git_history import REF, GitHistory
from upheld.stores.git_plumbing import Git
from upheld.stores.no_history import NoHistory
from upheld.stores.work_folder import WorkFolder
from upheld.wire.digest import sha256_hex

pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")


@pytest.fixture
def ann(tmp_path: Path) -> Person:
    person = Person(tmp_path, bare(tmp_path / "remote.git"), name="ann")
    person.init()
    person.remember("copy", "Use the short name.\n")
    return person


def restore(person: Person, number: int = 0) -> None:
    folder, history = WorkFolder(str(person.folder)), person.history
    with history.open(history.versions()[number]) as version:
        install(version, folder.open(), folder.index_sha256())
    folder.close()


def test_every_commit_is_recorded_whole(ann: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    versions = ann.history.versions()
    assert [(kept.version, kept.what) for kept in versions] == [(3, "correct copy"), (2, "remember copy"), (1, "init")]
    assert versions[0].index_sha256 == sha256_hex((ann.folder / "index.json").read_bytes())
    assert versions[0].at == "2026-11-30T12:00:00Z"
    with ann.history.open(versions[0]) as version:
        assert {name: version.read(name, 10**6) for name in version.files()} == {
            name: data for name, data in ann.bytes().items() if not name.startswith(".attempt")
        }


def test_a_store_deleted_from_the_work_tree_comes_back_byte_for_byte(ann: Person) -> None:
    before = ann.bytes()
    shutil.rmtree(ann.folder)
    restore(ann)
    assert ann.bytes() == before
    assert ann.faults() == []


def test_single_files_come_back(ann: Person) -> None:
    before = ann.bytes()
    [source] = (ann.folder / "sources").iterdir()
    source.unlink()
    restore(ann)
    assert ann.bytes() == before


def test_old_bytes_come_back_by_name_and_digest(ann: Person) -> None:
    old = {name: data for name, data in ann.bytes().items() if name.startswith("records/")}
    index = (ann.folder / "index.json").read_bytes()
    ann.correct("copy", "Use the full name.\n")
    [(name, data)] = old.items()
    assert not (ann.folder / name).exists(), "the open record was replaced by the closed one"
    assert ann.history.read(name, sha256_hex(data)) == data
    assert ann.history.read("index.json", sha256_hex(index)) == index
    assert ann.history.read("index.json", "0" * 64) is None
    assert ann.history.read("-n", "0" * 64) is None
    assert ann.history.read("../../etc/passwd", "0" * 64) is None


def test_a_missed_version_is_made_up_for(ann: Person) -> None:
    newest = ann.state / "upheld-newest.json"
    kept = newest.read_bytes()
    ann.correct("copy", "Use the full name.\n")
    newest.write_bytes(kept)
    ann.correct("copy", "Use the legal name.\n")
    newest.unlink()
    ann.correct("copy", "Use the brand name.\n")
    with ann.history.open(ann.history.versions()[0]) as version:
        assert {name: version.read(name, 10**6) for name in version.files()} == ann.bytes()


def test_history_starts_with_a_store_that_was_there_before(tmp_path: Path, ann: Person) -> None:
    shutil.rmtree(ann.state)
    ann.correct("copy", "Use the full name.\n")
    [kept] = ann.history.versions()
    assert kept.version == 3
    before = ann.bytes()
    shutil.rmtree(ann.folder)
    restore(ann)
    assert ann.bytes() == before


def test_a_failure_to_record_is_a_warning_and_the_commit_stands(ann: Person) -> None:
    shutil.rmtree(ann.state)
    ann.state.write_text("in the way")
    done = ann.correct("copy", "Use the full name.\n")
    assert done.warning.startswith("the change is committed, but")
    assert ann.text("copy") == "Use the full name.\n"


def test_a_git_that_hangs_is_a_warning_too(ann: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr("upheld.stores.git_history._RECORD_SECONDS", 0.3)
    monkeypatch.setattr("upheld.stores.git_plumbing.LOCAL_SECONDS", 0.3)
    monkeypatch.setattr("team_world.GIT", str(slow))
    done = ann.correct("copy", "Use the full name.\n")
    assert "took longer than" in done.warning
    assert ann.text("copy") == "Use the full name.\n"


def test_one_process_a_commit(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    real = subprocess.Popen

    class Counted(real):  # type: ignore[valid-type, misc]
        def __init__(self, arguments: list[str], **options: object) -> None:
            started.append(arguments)
            super().__init__(arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", Counted)
    ann.correct("copy", "Use the full name.\n")
    assert len(started) == 1


def test_small_packs_are_joined(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upheld.stores.git_history._PACKS", 3)
    for number in range(6):
        ann.correct("copy", f"Use name {number}.\n")
    assert len(list((ann.state / "objects" / "pack").glob("*.pack"))) <= 4
    assert len(ann.history.versions()) == 8
    git("fsck", "--strict", folder=ann.state)


def test_proposals_in_flight_and_locks_are_not_files_of_the_store(ann: Person) -> None:
    (ann.folder / ".new-index.json-abc").write_text("half")
    (ann.folder / "stray.txt").write_text("a stray file at the top is kept: it may be somebody's")
    (ann.state / "upheld-newest.json").unlink()
    ann.correct("copy", "Use the full name.\n")
    with ann.history.open(ann.history.versions()[0]) as version:
        assert not [name for name in version.files() if name.startswith((".lock", ".new-", ".attempt"))]
        assert "stray.txt" in version.files()


def test_without_git_it_is_said_once(tmp_path: Path, ann: Person) -> None:
    history = NoHistory(str(tmp_path / "state" / "said"))
    committed = ann.correct("copy", "Use the full name.\n")
    with pytest.raises(StorageError, match="git is not installed"):
        history.record(committed)
    history.record(committed)
    NoHistory(str(tmp_path / "state" / "said")).record(committed)
    assert history.versions() == ()
    assert history.read("index.json", "0" * 64) is None


def test_what_history_says_of_itself_is_not_believed(ann: Person) -> None:
    """A commit that only claims an index digest is not taken for the version that has it."""
    digest = sha256_hex((ann.folder / "index.json").read_bytes())
    tree = git("rev-parse", f"{REF}^^{{tree}}", folder=ann.state)
    claim = f"init\n\nVersion: 9\nIndex: {digest}\n"
    forged = git("commit-tree", tree, "-p", REF, "-m", claim, folder=ann.state)
    git("update-ref", "refs/upheld/fetched", forged, folder=ann.state)
    found = ann.history.find(digest)
    assert found is not None
    assert found.commit_id != forged
    found.close()
    assert ann.history.find_logged(9, "0" * 64) is None


def test_an_empty_history_is_empty(tmp_path: Path) -> None:
    assert GIT is not None
    history = GitHistory(Git(str(tmp_path / "none.git"), GIT, {}), lambda: pytest.fail("nothing is read"))
    assert history.versions() == ()
    assert history.newest() is None
    assert history.read("index.json", "0" * 64) is None
    assert history.find("0" * 64) is None


def test_a_history_that_was_begun_flat_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders were not spread before; what was written then stays where it lies, and is read by the same names."""
    ann = Person(tmp_path, bare(tmp_path / "remote.git"), name="ann")
    with monkeypatch.context() as earlier:
        earlier.setattr(git_commit, "spread", lambda name: name)
        ann.init()
        ann.remember("copy", "Use the short name.\n")
        ann.correct("copy", "Use the full name.\n")
        ann.remember("tone", "Be brief.\n")
    ann.correct("tone", "Be short.\n")
    ann.correct("copy", "Use the short name again.\n")
    kept = {}
    for number, version in enumerate(ann.history.versions()):
        with ann.history.open(version) as opened:
            kept[number] = {name: opened.read(name, 10**6) for name in opened.files()}
    assert kept[0] == {name: data for name, data in ann.bytes().items() if not name.startswith(".attempt")}
    paths = git("ls-tree", "-r", "--name-only", REF, folder=ann.state).split()
    assert len({path.rpartition("/")[2] for path in paths}) == len(paths), "nothing lies in two places"
    [old] = (name for name, data in kept[3].items() if data == b"Use the full name.\n")
    assert ann.history.read(old, sha256_hex(kept[3][old])) == b"Use the full name.\n"
    shutil.rmtree(ann.folder)
    restore(ann)
    assert ann.faults() == []
    ann.history.purge([old])
    assert ann.history.read(old, sha256_hex(kept[3][old])) is None
