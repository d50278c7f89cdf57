"""Every case of the corpus comes to what its case.json says, by the library's own door."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import upheld
from conformance_case import CASES, CORPUS, set_up
from upheld.model.answer import Answer


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    said, store = set_up(case, tmp_path / "work")
    memory = upheld.open(store, unsealed=said["unsealed"], as_of=said["as_of"], pin=said.get("pin"))
    outcome = memory.recall(said["key"])
    got = {"outcome": outcome.outcome} | ({} if isinstance(outcome, Answer) else {"code": outcome.code})
    assert got == said["expect"], outcome
    assert [key for key in said["served"] if memory.recall(key).outcome != "unsealed"] == []
    if "verify" in said:
        verdict = memory.verify()
        found = {finding.code for finding in verdict.findings}
        assert verdict.outcome == said["verify"]["outcome"], verdict
        assert set(said["verify"]["codes"]) <= found
        assert said["verify"]["codes"] or not found


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_name_of_a_case_says_what_must_happen(case: Path) -> None:
    said, _, end = case.name.rpartition("_")
    assert said
    assert end == ("fail" if '"refused"' in (case / "case.json").read_text("utf-8") else "pass")


def test_the_corpus_is_what_its_script_writes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("conformance_make", CORPUS / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(tmp_path)
    held = {name: data for case in CASES for name, data in _files(CORPUS, case.name).items()}
    assert _files(tmp_path) == held


def _files(root: Path, below: str = ".") -> dict[str, bytes]:
    paths = (path for path in (root / below).rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
