"""Upheld refuses whatever the article's rules refuse; where it refuses more, the reason is one of a closed list.

The list stands in docs/explanation/differences.md, and each line of it has a test here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import oracle
from spoil import Spoilt, spoilt_stores
from upheld.model.answer import Answer, Refusal
from upheld.services.recall import recall
from upheld.services.snapshot import Admission
from upheld.testing.builder import DAY, StoreBuilder, encoded, write_files
from upheld.testing.memory_store import MemoryStore

CHECKER = Path(__file__).parent.parent.parent / "shared" / "article-store" / "memory_check.py"
DOCS = Path(__file__).parent.parent / "docs" / "explanation" / "differences.md"

STRICTER = {
    "STO002": "a path that another platform would read otherwise",
    "FMT001": "a text that is not UTF-8",
    "FMT002": "a byte-order mark",
    "FMT003": "a text that is not JSON",
    "FMT004": "a JSON key that stands twice",
    "FMT005": "a number that not every reader can hold",
    "FMT007": "a field of the wrong type",
    "FMT008": "a broken record that mentions an id of the chain in whatever field",
    "FMT009": "a control character",
    "FMT012": "a schema version that this reader does not know",
    "PTR002": "two pointers of one key",
    "PTR004": "a record that was written for another key",
    "SUP002": "a second current record that says it is for this key",
    "DAT003": "a date in any other form than YYYY-MM-DD",
    "DAT004": "dates that contradict each other",
    "DAT005": "a date that has not come yet",
    "SRC001": "a bound file that changed",
    "SRC004": "a bound file that is missing",
}
"""Codes of refusals of stores whose chain the article's rules accept."""


def admit(*_: object) -> Admission:
    return Admission(sealed=False)


def ours(files: dict[str, bytes], key: str) -> Answer | Refusal:
    return recall(MemoryStore(files, {"docs/changed.md": b"Other.\n"}), key, as_of=DAY, today=DAY, admit=admit)


def theirs(files: dict[str, bytes], key: str) -> str | None:
    try:
        return oracle.instruction(files, key, DAY)
    except oracle.RefusedByArticleError:
        return None


@settings(max_examples=400)
@given(spoilt_stores(closed=False))
def test_what_the_articles_rules_refuse_is_refused_and_every_other_refusal_is_on_the_list(spoilt: Spoilt) -> None:
    for key in spoilt.keys:
        expected, got = theirs(spoilt.files, key), ours(spoilt.files, key)
        if isinstance(got, Answer):
            assert got.instruction == expected, spoilt.done
        elif expected is not None:
            # What a broken record that mentions the chain is refused for besides is a consequence of its being broken.
            broken = any(found.code[:3] == "FMT" and found.place.startswith("records/") for found in got.findings)
            codes = {found.code for found in got.findings}
            assert codes & set(STRICTER) if broken else codes <= set(STRICTER), (spoilt.done, got.findings)


@pytest.mark.skipif(not CHECKER.exists(), reason="the article's checker is not beside this repository")
@settings(max_examples=25)
@given(spoilt=spoilt_stores(closed=False))
def test_what_is_served_when_the_articles_own_checker_runs_beside_it(
    spoilt: Spoilt, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = write_files(spoilt.files, tmp_path_factory.mktemp("article"))
    (folder / "memory_check.py").write_bytes(CHECKER.read_bytes())
    for key in spoilt.keys:
        run = subprocess.run(
            [sys.executable, "-I", "-S", "memory_check.py", key, DAY],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        got = ours(spoilt.files, key)
        if run.returncode == 0:
            line = next(line for line in run.stdout.splitlines() if line.startswith("instruction="))
            assert theirs(spoilt.files, key) == line.removeprefix("instruction="), spoilt.done
            assert not isinstance(got, Answer) or got.instruction == line.removeprefix("instruction=")
        elif isinstance(got, Answer):  # it stopped at a fault that this key's chain does not touch
            assert theirs(spoilt.files, key) is not None, (spoilt.done, run.stderr)


def _store(*texts: str | bytes, **options: Any) -> dict[str, bytes]:
    builder = StoreBuilder(closed=False)
    builder.remember("alpha", *texts, **options)
    return builder.files()


def _raw_record(old: bytes, new: bytes) -> dict[str, bytes]:
    from hashlib import sha256

    files = _store("Do.\n")
    name = "records/alpha-v1.json"
    changed = files[name].replace(old, new, 1)
    index = files["index.json"].replace(sha256(files[name]).hexdigest().encode(), sha256(changed).hexdigest().encode())
    return {**files, name: changed, "index.json": index}


def _in_index(old: bytes, new: bytes) -> dict[str, bytes]:
    files = _store("Do.\n")
    return {**files, "index.json": files["index.json"].replace(old, new, 1)}


def _beside(name: str, data: bytes) -> dict[str, bytes]:
    return {**_store("Do.\n"), name: data}


def _twice() -> dict[str, bytes]:
    builder = StoreBuilder(closed=False)
    builder.remember("alpha", "Do.\n")
    builder.entries.append(builder.entries[0])
    return builder.files()


def _second_current() -> dict[str, bytes]:
    builder = StoreBuilder(closed=False)
    (made,) = builder.remember("alpha", "Do.\n")
    return {**builder.files(), "records/other.json": encoded({**made.fields, "id": "other", "key": "alpha"})}


SPOILT = {
    "STO002": _store("Do.\n", edits={1: {"durable_source": "./sources/alpha-v1.md"}}),
    "FMT001": _store(b"D\0o\0.\0"),
    "FMT002": _store(b"\xef\xbb\xbfDo.\n"),
    "FMT003": _beside("records/note.json", b'{"supersedes": "alpha-v1'),
    "FMT004": _raw_record(b"{", b'{"id": "x",'),
    "FMT005": _in_index(b"{", b'{"far": 1e400,'),
    "FMT007": _store("Do.\n", owner=7),
    "FMT008": _beside("records/note.json", encoded({"id": "note", "change_reason": "alpha-v1"})),
    "FMT009": _store("Do \x1b[31mred\x1b[0m.\n"),
    "FMT012": _in_index(b'"1.0"', b'"3.0"'),
    "PTR002": _twice(),
    "PTR004": _store("Do.\n", key="beta"),
    "SUP002": _second_current(),
    "DAT003": _store("Do.\n", review_on="20261201"),
    "DAT004": _store("Do.\n", recorded_on="2026-09-10", last_verified="2026-09-02"),
    "DAT005": _store("Do.\n", last_verified="2026-09-20"),
    "SRC001": _store("Do.\n", bound_source="docs/changed.md"),
    "SRC004": _store("Do.\n", bound_source="docs/policy.md"),
}


@pytest.mark.parametrize("code", sorted(STRICTER))
def test_a_difference_of_the_list(code: str) -> None:
    assert theirs(SPOILT[code], "alpha") is not None
    got = ours(SPOILT[code], "alpha")
    assert isinstance(got, Refusal)
    assert code in {finding.code for finding in got.findings}


def test_a_fault_of_another_chain_stops_the_articles_reader_and_not_ours() -> None:
    builder = StoreBuilder(closed=False)
    builder.remember("alpha", "Do.\n")
    builder.remember("beta", "Other.\n", edits={1: {"status": "draft"}})
    assert ours(builder.files(), "alpha").outcome == "unsealed"
    assert ours(builder.files(), "beta").outcome == "refused"


def test_every_difference_is_documented() -> None:
    said = DOCS.read_text("utf-8")
    assert [code for code in STRICTER if code not in said] == []
