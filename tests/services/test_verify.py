"""verify: every fault in one run, for exactly the keys that recall refuses."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance_case import CASES, set_up
from spoil import Spoilt, spoilt_stores
from upheld.compose.library import open as open_memory
from upheld.errors import BusyError, FaultError, UpheldError
from upheld.model.finding import Finding
from upheld.model.verdict import Verdict
from upheld.services import forked, verify_leaf
from upheld.services.recall import recall
from upheld.services.snapshot import Admission
from upheld.services.verify import verify
from upheld.stores.directory import DirectoryStore
from upheld.testing.builder import DAY, StoreBuilder
from upheld.testing.memory_store import MemoryStore
from upheld.wire import strictjson


def admit(*_: object) -> Admission:
    return Admission(sealed=False, not_checked=("seal",))


def sealed(*_: object) -> Admission:
    return Admission(sealed=True)


def run(store: Any, **options: Any) -> Verdict:
    return verify(store, **{"as_of": DAY, "today": DAY, "admit": admit, **options})


def several(*, closed: bool = True, leaf_limit: int = 4, keys: int = 30) -> StoreBuilder:
    builder = StoreBuilder(closed=closed, leaf_limit=leaf_limit)
    for number in range(keys):
        builder.remember(f"key-{number}", *(f"Version {step} of {number}.\n" for step in range(number % 3 + 1)))
    return builder


def codes(verdict: Verdict) -> list[str]:
    return [finding.code for finding in verdict.findings]


@pytest.mark.parametrize("closed", [True, False])
def test_a_sound_store_is_unverified_without_a_seal_and_verified_with_one(closed: bool) -> None:
    store = several(closed=closed).store()
    assert run(store).outcome == "unverified"
    verdict = run(store, admit=sealed)
    assert verdict.outcome == "verified"
    assert verdict.keys == 30
    assert dict(verdict.checked) == {"records": 60, "pointers": 30, "sources": 60, "triggers": 0}
    assert verdict.require() is verdict


@pytest.mark.parametrize("closed", [True, False])
def test_nothing_checked_is_not_verified(closed: bool) -> None:
    assert run(StoreBuilder(closed=closed).store(), admit=sealed).outcome == "unverified"


def test_every_fault_of_the_store_is_reported_in_one_run() -> None:
    builder = several()
    files = builder.files()
    files[builder.built["key-1"][0].source_place] += b"x"
    files[builder.built["key-2"][2].record_place] += b" "
    files["records/planted.json"] = b"{}"
    files["surprise"] = b""
    verdict = run(MemoryStore(files))
    assert sorted(codes(verdict)) == ["HSH001", "HSH002", "STO007", "STO007"]
    assert verdict.refused == ("key-1", "key-2")
    assert verdict.outcome == "failed"


def test_a_lost_record_does_not_make_its_predecessors_superfluous() -> None:
    builder = several()
    files = builder.files()
    del files[builder.built["key-5"][1].record_place]
    files["sources/planted.md"] = b""
    verdict = run(MemoryStore(files))
    assert codes(verdict) == ["STO001"]
    assert any("nothing names" in reason for reason in verdict.not_checked)


def test_one_fault_that_several_keys_share_is_one_finding_with_all_of_them() -> None:
    builder = StoreBuilder(closed=False)
    chain = builder.remember("b-key", "One.\n")
    builder.entries.append({**builder.entries[0], "key": "a-key"})
    files = {**builder.files(), chain[0].source_place: b"Other.\n"}
    (finding,) = run(MemoryStore(files)).findings
    assert (finding.code, finding.keys) == ("HSH001", ("a-key", "b-key"))


def test_a_malformed_entry_refuses_its_own_key_only() -> None:
    builder = several(keys=3, leaf_limit=128)
    builder.entries[1]["target"] = ["no", "path"]
    builder.entries.append("no object")  # type: ignore[arg-type]
    store = builder.store()
    verdict = run(store)
    assert verdict.refused == ("key-1",)
    assert [finding.path for finding in verdict.findings] == ["entries[1].target", "entries[3]"]
    assert recall(store, "key-0", as_of=DAY, today=DAY, admit=admit).outcome == "unsealed"


def test_keys_below_an_unreadable_node_are_counted_and_those_below_a_miscounted_one_are_refused() -> None:
    builder = several()
    files = builder.files()
    lower = sorted(name for name in files if name.startswith("index/"))
    del files[lower[0]]
    files["index.json"] = files["index.json"].replace(b'"retired": 0', b'"retired": 9')
    verdict = run(MemoryStore(files))
    assert verdict.keys == 30
    assert set(codes(verdict)) == {"PTR006", "STO001"} | ({"STO007"} & set(codes(verdict)))
    assert len(verdict.refused) >= 20


def test_trigger_files_are_held_to_their_digest_and_refuse_no_key() -> None:
    builder = several(keys=2)
    name = builder.trigger("key-0", b'{"must_fire": []}')
    store = builder.store()
    assert dict(run(store).checked)["triggers"] == 1
    for spoilt, code in ((b"{}", "HSH005"), (None, "STO001")):
        files = {**store.files, name: spoilt or b""}
        if spoilt is None:
            del files[name]
        verdict = run(MemoryStore(files))
        assert (codes(verdict), verdict.outcome, verdict.refused) == ([code], "failed", ())
        assert recall(MemoryStore(files), "key-0", as_of=DAY, today=DAY, admit=admit).outcome == "unsealed"


def test_article_rules_hold_for_records_that_no_pointer_reaches_and_refuse_no_key() -> None:
    builder = StoreBuilder(closed=False)
    builder.remember("served", "One.\n")
    builder.remember("dropped", "One.\n", "Two.\n", edits={1: {"superseded_by": ...}})
    builder.entries.pop()
    verdict = run(builder.store())
    assert {"SUP006", "LNK003"} <= set(codes(verdict))
    assert all(finding.keys == () for finding in verdict.findings)
    assert (verdict.outcome, verdict.refused) == ("failed", ())


def test_retired_chains_are_checked_but_never_fall_due() -> None:
    builder = StoreBuilder()
    old = builder.retire("gone", "Once.\n")
    builder.remember("here")
    assert run(builder.store()).findings == ()
    due = run(builder.store(), as_of="2029-01-01")
    assert (codes(due), due.refused, due.hypothetical) == (["DAT002"], ("here",), True)
    files = {**builder.files(), old[0].source_place: b"Rewritten.\n"}
    verdict = run(MemoryStore(files))
    assert (codes(verdict), verdict.findings[0].keys, verdict.refused) == (["HSH001"], ("gone",), ())


def test_an_index_that_is_not_admitted_refuses_every_key_and_the_rest_is_still_checked() -> None:
    def never(*_: object) -> Admission:
        return Admission(sealed=False, refusals=(Finding(code="RBK001", place="index.json"),))

    builder = several(keys=3)
    files = {**builder.files(), builder.built["key-1"][0].source_place: b"Other.\n"}
    verdict = run(MemoryStore(files), admit=never)
    assert sorted(codes(verdict)) == ["HSH001", "RBK001"]
    assert verdict.refused == ("key-0", "key-1", "key-2")


class Moving(MemoryStore):
    """A store whose index gets a new version each time that a chosen file is read."""

    def __init__(self, files: Mapping[str, bytes], missing: str, moves: int) -> None:
        super().__init__(files)
        self.missing, self.moves = missing, moves

    def read(self, name: str, limit: int) -> bytes:
        if name == self.missing and self.moves:
            self.moves -= 1
            self.files = {**self.files, "index.json": self.files["index.json"] + b"\n"}
            return super().read("gone", limit)
        return super().read(name, limit)


def test_a_commit_in_flight_is_no_fault_and_a_store_that_never_rests_is_busy() -> None:
    builder = several(keys=2)
    place = builder.built["key-1"][0].record_place
    assert run(Moving(builder.files(), place, 4)).findings == ()
    with pytest.raises(BusyError):
        run(Moving(builder.files(), place, 1000))


class Writing(MemoryStore):
    """A store in which a writer has written a file and its note, and is done after some looks at the folder."""

    looks = 0
    ends = 5

    def list(self, folder: str) -> tuple[str, ...]:
        if folder == "":
            self.looks += 1
            if self.looks == self.ends:
                self.files = {
                    name: data for name, data in self.files.items() if name not in (".attempt", "sources/new.md")
                }
        return super().list(folder)


@pytest.mark.parametrize("ends", [5, 10**9])
def test_a_writer_at_work_is_waited_for_and_a_dead_one_is_not(ends: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upheld.services.verify.WRITER_SECONDS", 0.2)
    store = Writing({**several(keys=2).files(), ".attempt": b"{}", "sources/new.md": b"New.\n"})
    store.ends = ends
    found = [finding.code for finding in run(store).findings]
    assert found == ([] if ends == 5 else ["STO007"])


@pytest.fixture
def large(tmp_path: Path) -> Path:
    builder = several(keys=240)
    files = builder.files()
    files[builder.built["key-7"][0].source_place] += b"x"
    files["sources/planted.md"] = b""
    return builder_write(files, tmp_path)


def builder_write(files: Mapping[str, bytes], folder: Path) -> Path:
    from upheld.testing.builder import write_files

    return write_files(files, folder / "store")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
def test_processes_find_what_one_process_finds(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upheld.services.verify.FORK_FROM", 1)
    monkeypatch.setattr("upheld.services.verify.can_fork", lambda: True)
    monkeypatch.setattr(forked, "_TELL_EVERY", 1)
    told: list[tuple[int, int]] = []
    with DirectoryStore(str(large)) as store:
        alone = run(store)
        together = run(store, processes=3, progress=lambda done, total: told.append((done, total)))
    assert together == alone
    assert codes(alone) == ["HSH001", "STO007"]
    assert told[-1][0] <= 240
    assert {total for _, total in told} == {240}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
@pytest.mark.parametrize("death", ["killed", "raised"])
def test_a_process_that_dies_is_an_error_and_never_a_verdict(
    large: Path, monkeypatch: pytest.MonkeyPatch, death: str
) -> None:
    monkeypatch.setattr("upheld.services.verify.FORK_FROM", 1)
    monkeypatch.setattr("upheld.services.verify.can_fork", lambda: True)
    parent = os.getpid()

    def die(*_: object) -> None:
        assert os.getpid() != parent
        if death == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        raise MemoryError

    monkeypatch.setattr(verify_leaf.LeafVerifier, "verify", die)
    with DirectoryStore(str(large)) as store, pytest.raises(UpheldError, match="internal: a process"):
        run(store, processes=2)


@given(spoilt_stores())
def test_the_short_way_and_the_long_way_come_to_the_same(spoilt: Spoilt) -> None:
    assert run(MemoryStore(spoilt.files)) == run(MemoryStore(spoilt.files), quick=False)


@given(spoilt_stores())
def test_verify_refuses_exactly_the_keys_that_recall_refuses(spoilt: Spoilt) -> None:
    store = MemoryStore(spoilt.files)
    verdict = run(store)
    refused = [key for key in spoilt.keys if recall(store, key, as_of=DAY, today=DAY, admit=admit).outcome == "refused"]
    unknown = [key for key in refused if key not in verdict.refused]
    for key in unknown:  # an index that cannot be read, or that no longer names the key, has no keys to refuse
        outcome: Any = recall(store, key, as_of=DAY, today=DAY, admit=admit)
        assert outcome.code == "PTR001" or verdict.outcome == "failed"
        assert outcome.code == "PTR001" or any(not finding.keys for finding in verdict.findings)
    misplaced = {key for finding in verdict.findings if finding.code == "PTR007" for key in finding.keys}
    for key in set(verdict.refused) - misplaced:
        assert recall(store, key, as_of=DAY, today=DAY, admit=admit).outcome == "refused"


@given(spoilt_stores(), st.randoms(use_true_random=False))
def test_a_verdict_does_not_depend_on_the_order_of_files(spoilt: Spoilt, random: Any) -> None:
    class Shuffled(MemoryStore):
        def list(self, folder: str) -> tuple[str, ...]:
            names = [*super().list(folder)]
            random.shuffle(names)
            return tuple(names)

    assert run(Shuffled(spoilt.files)) == run(MemoryStore(spoilt.files))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_both_ways_agree_on_the_corpus(case: Path, tmp_path: Path) -> None:
    said, folder = set_up(case, tmp_path)
    with DirectoryStore(str(folder)) as store:
        options = {"as_of": said["as_of"], "today": said["as_of"]}
        assert run(store, **options) == run(store, quick=False, **options)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no pipes")
@pytest.mark.parametrize("kind", ["device", "pipe", "socket", "folder", "link"])
def test_what_is_no_file_is_refused_by_both_ways_even_where_its_bytes_are_right(tmp_path: Path, kind: str) -> None:
    builder = StoreBuilder()
    empty, _ = builder.remember("here", b"", "Now.\n")
    builder.remember("there")
    place = builder.write(tmp_path / "store") / empty.source_place
    place.unlink()
    if kind == "device":
        try:
            os.mknod(place, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # it reads as the empty file that the record means
        except PermissionError:
            pytest.skip("only the superuser makes devices")
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "socket":
        os.mknod(place, stat.S_IFSOCK | 0o600)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(os.devnull)
    with DirectoryStore(str(tmp_path / "store")) as store:
        quick = run(store)
        assert quick == run(store, quick=False)
    assert (quick.refused, codes(quick)) == (("here",), ["STO003" if kind == "link" else "STO004"])


def test_the_library_verifies_what_it_opens(tmp_path: Path) -> None:
    several(keys=2).write(tmp_path / "store")
    memory = open_memory(tmp_path / "store", unsealed=True, as_of=DAY)
    assert memory.verify().outcome == "unverified"


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1}', b'{"a": 1}\n', b'{"a": 1} ', b' {"a": 1}', b'{"a": 1}\n\n', b'{"a": 1, "a": 2}', b'{"a": "\\u0041"}',
        b'{"a": "\x7f"}', b'{"a": "\x01"}', b'{"a": "\0"}', b'{"a": NaN}', b'{"a": 1e999}', b"[]", b"{", b"",
        "{\"a\": \"\u00e9\"}".encode(), "{\"a\": \"\u0085\"}".encode(), b"\xef\xbb\xbf{}",
        *(b'{"a": ' + b"[" * depth + inner + b"]" * depth + b"}" for depth in (30, 31, 32, 33, 34) for inner in (b"", b"1")),
        *(b'{"a": ' * depth + inner + b"}" * depth for depth in (31, 32, 33, 34) for inner in (b"{}", b"1")),
    ],
)  # fmt: skip
def test_the_short_way_of_parsing_takes_only_what_the_long_way_takes(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parsed() -> object:
        try:
            return strictjson.parse(data, "x")
        except FaultError as fault:
            return fault.code, fault.path, fault.detail

    quick = parsed()
    monkeypatch.setattr(strictjson, "_plain", lambda data: None)
    assert parsed() == quick
