"""What dead writers leave: notes, temporaries, orphans, locks. A file that the index leads to is never removed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import crash_oracle
import pytest
from crash_judge import leftovers, say
from crash_recorder import read_all
from crash_world import SCRIPT, QuickDisk, Texts, build, draft, run, write_correct, write_remember, writer_of

from upheld.errors import ConflictError, RefusedError, StorageError
from upheld.model.answer import Refusal
from upheld.services.commit import commit, load
from upheld.services.correct import plan_correct
from upheld.services.named import named
from upheld.stores import lock
from upheld.stores.directory_writer import NOTE, WritableDirectory

GAMMA = write_remember("gamma", "Gamma.\n")


@pytest.fixture
def store(tmp_path: Path) -> tuple[Path, Texts]:
    place = tmp_path / "store"
    return place, build(place, SCRIPT)


def index_digest(place: Path) -> str:
    return sha256((place / "index.json").read_bytes()).hexdigest()


def goes_on(place: Path, texts: Texts) -> None:
    """The next command works, everything is said, and every file of before is there or was replaced by name."""
    live = crash_oracle.reachable(place)
    run(GAMMA, place)
    assert {name for name in live if not (place / name).exists() and name != ".lock"} == set()
    assert say(place, frozenset(texts) | {"gamma"}) == {**texts, "gamma": "Gamma.\n"}
    assert not (place / NOTE).exists()
    assert not crash_oracle.faults(place)


@pytest.mark.parametrize("matching", ["base", "next", "neither"])
def test_a_note_that_names_live_files_removes_none(store: tuple[Path, Texts], matching: str) -> None:
    place, texts = store
    everything = sorted(read_all(place))
    now = index_digest(place)
    note = {
        "made": everything,
        "replaces": everything,
        "base": now if matching == "base" else "0" * 64,
        "next": now if matching == "next" else "1" * 64,
    }
    (place / NOTE).write_text(json.dumps(note))
    goes_on(place, texts)


UNSAFE = ["../outside.txt", "/etc/passwd", "records/../index.json", "records/a/b.json", "..", "", "a\0b", "outside.txt"]


def test_a_note_that_names_unsafe_places_removes_none(store: tuple[Path, Texts]) -> None:
    place, texts = store
    outside = [place.parent / "outside.txt", place / "outside.txt"]
    for path in outside:
        path.write_text("mine")
    (place / NOTE).write_text(json.dumps({"made": UNSAFE, "base": index_digest(place)}))
    goes_on(place, texts)
    assert all(path.read_text() == "mine" for path in outside)


NOTES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"{}",
    b'{"made": 3, "base": null}',
    b'{"made": ["index.json"]}',
    b'{"made": [1, null, {}], "base": 7, "next": []}',
    b'{"made": [], "made": ["records/x.json"]}',
    b"\0" * 200,
]


@pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
def test_a_malformed_note_is_taken_away(store: tuple[Path, Texts], note: bytes) -> None:
    place, texts = store
    (place / NOTE).write_bytes(note)
    (place / "records" / ".new-left-over").write_bytes(b"half")
    goes_on(place, texts)
    assert not leftovers(place)


def test_orphans_of_the_note_go_and_others_stay(store: tuple[Path, Texts]) -> None:
    place, texts = store
    for name in ("sources/mine.0123456789ab.md", "sources/other.0123456789ab.md"):
        (place / name).write_bytes(b"orphan\n")
    (place / NOTE).write_text(json.dumps({"made": ["sources/mine.0123456789ab.md"], "base": index_digest(place)}))
    goes_on(place, texts)
    assert leftovers(place) == ["sources/other.0123456789ab.md"]


def test_a_damaged_store_loses_nothing_to_a_note(store: tuple[Path, Texts]) -> None:
    """Where not every name can be told, nothing is removed: the damage may hide what leads to a file."""
    place, _ = store
    record = json.loads((place / "index.json").read_bytes())["entries"][0]["target"]
    (place / record).write_bytes(b"{}")
    orphan = place / "sources" / "mine.0123456789ab.md"
    orphan.write_bytes(b"orphan\n")
    (place / NOTE).write_text(json.dumps({"made": [f"sources/{orphan.name}"], "base": index_digest(place)}))
    run(GAMMA, place)
    assert orphan.exists()


def test_the_names_that_count_agree_with_an_oracle(store: tuple[Path, Texts]) -> None:
    place, _ = store
    with WritableDirectory(str(place)) as opened:
        assert named(opened) | {".lock"} == crash_oracle.reachable(place)


def test_a_lock_that_the_platform_does_not_have(store: tuple[Path, Texts], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a lock a loser is still told, and what the winner committed is whole."""
    place, texts = store
    monkeypatch.setattr(lock, "_exclusive", lambda: None)
    first, second = WritableDirectory(str(place)), WritableDirectory(str(place))
    writer = writer_of(second)
    held = load(writer)
    pointer = held.pointer("alpha")
    assert pointer is not None
    plan = plan_correct(draft("alpha", "Mine.\n"), base_sha256=pointer.record_sha256, nonce="0001")
    run(write_correct("alpha", "Theirs.\n", "0002"), place)
    with pytest.raises(ConflictError):
        commit(writer, plan)
    # At the last moment: both have loaded the same version.
    with pytest.raises(ConflictError):
        second.swap(b"{}", held.index.node.sha256)
    first.close()
    second.close()
    assert say(place, frozenset(texts)) == {**texts, "alpha": "Theirs.\n"}
    assert not leftovers(place)
    assert not crash_oracle.faults(place)


def test_a_loser_without_a_lock_removes_only_what_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both want the same source file: the loser must not take it from the winner."""
    place = tmp_path / "store"
    build(place, SCRIPT[:2])
    monkeypatch.setattr(lock, "_exclusive", lambda: None)

    class Overtaken(QuickDisk):
        """A disk on which somebody else commits just before our index is compared."""

        def write_new(self, name: str, data: bytes, mode: int) -> int:
            if name.startswith(".new-index.json"):
                source = next(path for path in (place / "sources").iterdir() if b"Same." in path.read_bytes())
                assert source.exists()
                (place / "log" / "000003.json").unlink()  # ours; else the other one would be told to wait for `gc`
                run(write_correct("alpha", "Same.\n", "0002"), place)
            return super().write_new(name, data, mode)

    with pytest.raises(ConflictError):
        run(write_correct("alpha", "Same.\n", "0001"), place, Overtaken(str(place)))
    assert say(place, frozenset(["alpha"])) == {"alpha": "Same.\n"}


def test_a_failed_sync_after_the_swap_is_no_failure(store: tuple[Path, Texts]) -> None:
    """The new index is in place: that is said with a warning, and the old version's files stay until it is durable."""
    place, texts = store

    class Failing(QuickDisk):
        def sync_folder(self, folder: str) -> None:
            if not folder:
                raise OSError(5, "Input/output error")

    before = read_all(place)
    done = run(write_correct("alpha", "New.\n", "0003"), place, Failing(str(place)))
    assert "did not confirm" in done.warning
    assert set(before) <= set(read_all(place)), "the version that may come back has lost a file"
    goes_on(place, {**texts, "alpha": "New.\n"})
    assert not leftovers(place)


def test_a_swap_that_fails_is_a_failure(store: tuple[Path, Texts]) -> None:
    place, texts = store

    class Failing(QuickDisk):
        def replace(self, temporary: str, name: str) -> None:
            raise OSError(5, "Input/output error")

    with pytest.raises(StorageError, match="nothing was changed"):
        run(write_correct("alpha", "New.\n", "0003"), place, Failing(str(place)))
    assert say(place, frozenset(texts)) == texts
    assert not leftovers(place)


def by_moving(place: Path, target: Path) -> None:
    place.rename(target)


def by_tar(place: Path, target: Path) -> None:
    with tarfile.open(target.parent / "a.tar", "w") as archive:
        archive.add(place, arcname=target.name)
    with tarfile.open(target.parent / "a.tar") as archive:
        archive.extractall(target.parent, filter="data")


def by_zip(place: Path, target: Path) -> None:
    shutil.unpack_archive(shutil.make_archive(str(target.parent / "b"), "zip", place), target)


def by_git(place: Path, target: Path) -> None:
    origin = place.parent / "origin"
    shutil.copytree(place, origin / "store")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*arguments: str, at: Path = origin) -> None:
        options = ["-c", "core.autocrlf=true", "-c", "core.safecrlf=false", "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *options, *arguments], cwd=at, env=environment, check=True, capture_output=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "a store")
    git("clone", "-q", str(origin), str(place.parent / "clone"), at=place.parent)
    shutil.move(place.parent / "clone" / "store", target)


def by_cp(option: str) -> Callable[[Path, Path], None]:
    def copy(place: Path, target: Path) -> None:
        subprocess.run(["cp", option, str(place), str(target)], check=True)

    return copy


WAYS: Mapping[str, Callable[[Path, Path], None]] = {
    "moved": by_moving,
    "cp -a": by_cp("-a"),
    "cp -r": by_cp("-r"),
    "cp -al": by_cp("-al"),
    "tar": by_tar,
    "zip": by_zip,
    "git with autocrlf": by_git,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_store_survives_being_carried_about(store: tuple[Path, Texts], way: str) -> None:
    place, texts = store
    if way.startswith("cp") and (sys.platform == "win32" or shutil.which("cp") is None):
        pytest.skip("there is no cp here")
    if way.startswith("git") and shutil.which("git") is None:
        pytest.skip("there is no git here")
    bytes_before = read_all(place)
    target = place.parent / "carried"
    WAYS[way](place, target)
    assert read_all(target) == bytes_before
    assert say(target, frozenset(texts)) == texts
    goes_on(target, texts)
    if place.exists():
        assert read_all(place) == bytes_before, "writing to the copy changed the original"


def test_a_conflict_marker_is_refused_by_name(store: tuple[Path, Texts]) -> None:
    """In whatever file a merge left one, its keys are refused, and the refusal names the file and the cause."""
    place, texts = store
    for name in sorted(crash_oracle.reachable(place)):
        if name.partition("/")[0] not in ("index.json", "records", "sources"):
            continue
        whole = (place / name).read_bytes()
        os.chmod(place / name, 0o644)
        half = len(whole) // 2
        marked = b"<<<<<<< HEAD\n" + whole[:half] + b"\n=======\n" + whole[half:] + b"\n>>>>>>> theirs\n"
        (place / name).write_bytes(marked)
        refusals = [outcome for key in texts if isinstance(outcome := _ask(place, key), Refusal)]
        assert refusals, name
        shown = [
            f"{finding.place} {finding.cause} {finding.entry.name} {finding.facts}"
            for r in refusals
            for finding in r.findings
        ]
        assert any(name in line and "merge" in line for line in shown), (name, shown)
        (place / name).write_bytes(whole)
    assert say(place, frozenset(texts)) == texts


def _ask(place: Path, key: str) -> object:
    from crash_world import ask

    try:
        return ask(place, key)
    except RefusedError as error:
        return error.refusal
