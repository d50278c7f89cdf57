"""Laws of reading: same bytes out of every process, no byte changed, no refusal undone, no recursion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoil import Spoilt, sound_stores, spoilt_stores
from upheld.model.answer import Answer, Refusal
from upheld.model.history import History
from upheld.services.history import history
from upheld.services.recall import recall
from upheld.services.snapshot import Admission
from upheld.services.verify import verify
from upheld.testing.builder import DAY, StoreBuilder, encoded
from upheld.testing.memory_store import MemoryStore
from upheld.wire import index as wire_index
from upheld.wire import record as wire_record


def admit(*_: object) -> Admission:
    return Admission(sealed=False)


def ask(files: Any, key: str) -> Answer | Refusal:
    return recall(MemoryStore(files), key, as_of=DAY, today=DAY, admit=admit)


@pytest.mark.parametrize(
    "verb", [("recall", "alpha"), ("recall", "beta"), ("verify",), ("history", "alpha"), ("index",)]
)
def test_output_is_the_same_bytes_from_every_fresh_process(tmp_path: Path, verb: tuple[str, ...]) -> None:
    builder = StoreBuilder(closed=False)
    builder.remember("alpha", "Old.\n", "Use the café rule.\n")
    builder.remember("beta", "One.\n", "Two.\n", edits={1: {"superseded_by": "gone"}, 2: {"owner": 7}})
    store = builder.write(tmp_path / "store")
    outputs = set()
    for seed, locale, zone in (
        ("0", "C", "UTC"),
        ("1", "C.UTF-8", "Pacific/Kiritimati"),
        ("77", "POSIX", "America/Adak"),
    ):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone}
        environment |= {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
        command = [sys.executable, "-m", "upheld", *verb, "--store", str(store), "--unsealed", "--as-of", DAY]
        run = subprocess.run(command, capture_output=True, check=False, env=environment, timeout=60)
        outputs.add((run.returncode, run.stdout, run.stderr))
    assert len(outputs) == 1
    assert next(iter(outputs))[1]


@given(sound_stores())
def test_reading_and_writing_back_changes_no_byte(spoilt: Spoilt) -> None:
    for name, data in spoilt.files.items():
        if name.startswith("records/"):
            record, faults = wire_record.decode(data, name)
            assert (record.raw, faults) == (data, ())
            assert wire_record.encode(dict(record.fields)) == data
    node = wire_index.decode(spoilt.files["index.json"]).node
    assert node.raw == spoilt.files["index.json"]
    assert encoded(dict(node.fields)) == node.raw


@given(
    spoilt_stores(), st.binary(max_size=30), st.sampled_from(["records/x.json", "sources/x.md", "x", "index/x.json"])
)
def test_an_unrelated_fault_never_turns_a_refusal_into_an_answer(spoilt: Spoilt, data: bytes, name: str) -> None:
    more = {name: data, **spoilt.files}
    for key in spoilt.keys:
        if ask(spoilt.files, key).outcome == "refused":
            assert ask(more, key).outcome == "refused"


@given(spoilt_stores(closed=True), st.binary(max_size=30), st.sampled_from(["records/x.json", "sources/x.md", "x"]))
def test_a_planted_file_changes_nothing_in_a_closed_store(spoilt: Spoilt, data: bytes, name: str) -> None:
    for key in spoilt.keys:
        assert ask(spoilt.files, key) == ask({**spoilt.files, name: data}, key)


@pytest.mark.parametrize("closed", [True, False])
def test_a_chain_of_ten_thousand_corrections_is_served(closed: bool) -> None:
    builder = StoreBuilder(closed=closed)
    builder.remember("alpha", *(f"Version {number}.\n" for number in range(10_000)))
    store = builder.store()
    answer = recall(store, "alpha", as_of=DAY, today=DAY, admit=admit)
    assert isinstance(answer, Answer)
    assert answer.text == "Version 9999.\n"
    assert dict(verify(store, as_of=DAY, today=DAY, admit=admit).checked)["records"] == 10_000


def test_a_circle_of_ten_thousand_is_refused() -> None:
    builder = StoreBuilder(closed=False)
    count = 10_000
    builder.remember(
        "alpha",
        *(f"Version {number}.\n" for number in range(count)),
        edits={
            1: {"supersedes": f"alpha-v{count}"},
            count: {"status": "superseded", "superseded_by": "alpha-v1"},
        },
    )
    outcome = recall(builder.store(), "alpha", as_of=DAY, today=DAY, admit=admit)
    assert isinstance(outcome, Refusal)
    assert outcome.code == "LNK005"


def test_history_lists_every_version_newest_first_of_retired_keys_too() -> None:
    builder = StoreBuilder()
    builder.remember("alpha", "One.\n", "Two.\n", "Three.\n", owner="copy team")
    builder.retire("gone", "Once.\n")
    found = history(builder.store(), "alpha", as_of=DAY, today=DAY, admit=admit)
    assert isinstance(found, History)
    assert [version.record_id for version in found.versions] == ["alpha-v3", "alpha-v2", "alpha-v1"]
    assert [version.is_served for version in found.versions] == [True, False, False]
    gone = history(builder.store(), "gone", as_of=DAY, today=DAY, admit=admit)
    assert isinstance(gone, History)
    assert gone.retired
    assert not any(version.is_served for version in gone.versions)


def test_an_unknown_key_is_refused_with_the_nearest_keys_and_whom_to_ask() -> None:
    builder = StoreBuilder(leaf_limit=1)
    builder.remember("customer-copy", owner="copy team")
    builder.remember("refund-window", owner="support")
    outcome = ask(builder.files(), "Customer-Copi")
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.nearest, outcome.owner) == ("PTR001", ("customer-copy",), "copy team")
    assert ask(builder.files(), "zzz" * 1000).outcome == "refused"


def test_an_index_deeper_than_a_digest_is_refused_without_a_crash() -> None:
    from hashlib import sha256

    digits = sha256(b"alpha").hexdigest()
    files: dict[str, bytes] = {}
    child: dict[str, Any] = {"entries": []}
    for depth in range(len(digits), 0, -1):
        if depth == len(digits):
            child = {"children": {"0": {"sha256": "0" * 64, "pointers": 0, "retired": 0}}}
        data = json.dumps(child).encode()
        digest = sha256(data).hexdigest()
        files[f"index/{digits[:depth]}.{digest[:12]}.json"] = data
        child = {"children": {digits[depth - 1]: {"sha256": digest, "pointers": 0, "retired": 0}}}
    files["index.json"] = json.dumps({"version": 1, **child}).encode()
    outcome = ask(files, "alpha")
    assert isinstance(outcome, Refusal)
    assert outcome.code == "FMT006"
    assert verify(MemoryStore(files), as_of=DAY, today=DAY, admit=admit).outcome == "failed"
