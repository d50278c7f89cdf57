"""The corpora of the screen and of the write gate: plain JSON, run here on this implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from upheld.compose.library import Memory
from upheld.errors import RefusedError
from upheld.model.answer import Refusal
from upheld.model.draft import CurrentInstruction, Draft, Text
from upheld.model.names import is_digest
from upheld.policy import rejected
from upheld.policy.screen import run
from upheld.policy.shingles import fingerprints

CORPUS = Path(__file__).parent.parent / "conformance"
SCREEN = sorted((CORPUS / "screen").glob("*.json"))
GATE = sorted((CORPUS / "gate").glob("*.json"))


def _draft(said: dict[str, Any]) -> Draft:
    served: frozenset[str] = frozenset()
    current = [{**one, "fires": tuple(one.get("fires", ()))} for one in said.get("current", ())]
    return Draft(
        key=said["key"],
        texts=tuple(Text(field=field, text=text) for field, text in said.get("texts", {}).items()),
        read_when=said.get("read_when", ""),
        trigger=tuple(said.get("trigger", ())),
        examples=tuple(said.get("examples", ())),
        counterexamples=tuple(said.get("counterexamples", ())),
        current=tuple(CurrentInstruction(**one) for one in current),
        served_fingerprints=served.union(*(fingerprints(text) for text in said.get("served", ()))),
        rejected=tuple(rejected.fingerprints(text) for text in said.get("rejected", ())),
        pending=said.get("pending", 0),
        recent=said.get("recent", 0),
    )


@pytest.mark.parametrize("path", SCREEN, ids=[path.stem for path in SCREEN])
def test_the_screen_says_of_each_draft_what_the_corpus_says(path: Path) -> None:
    case = json.loads(path.read_text("utf-8"))
    ticks = iter(range(1_000_000))
    budget = case.get("budget_seconds")
    screening = run(
        _draft(case["draft"]),
        now=(lambda: 0.0) if budget is None else (lambda: float(next(ticks))),
        budget=5.0 if budget is None else budget,
    )
    outcome = "refused" if screening.refused else "flagged" if screening.flagged else "passed"
    codes = {finding.code for finding in screening.findings}
    assert (outcome, set(case["expect"]["codes"]) - codes) == (case["expect"]["outcome"], set()), codes


class _Story:
    """One store, one proposal, and what the last step was refused with."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.code: str | None = None
        self._id = self._shown = ""
        self._kept = b""

    def step(self, step: dict[str, str]) -> None:
        said = dict(step)
        getattr(self, f"_{said.pop('do').replace('-', '_')}")(**said)

    @property
    def _file(self) -> Path:
        return Path(self.memory.path) / "proposals" / f"{self._id}.json"

    def _propose(self, key: str, text: str, read_when: str, because: str) -> None:
        self._id = self.memory.propose(key, text, when=read_when, because=because).id

    def _show(self) -> None:
        self._shown = self.memory.show(self._id).sha256
        assert is_digest(self._shown)

    def _edit_file(self, **said: str) -> None:
        self._file.write_text(self._file.read_text().replace(said["from"], said["to"]))

    def _keep_file(self) -> None:
        self._kept = self._file.read_bytes()

    def _put_file_back(self) -> None:
        self._file.write_bytes(self._kept)

    def _approve(self) -> None:
        self.code = None
        try:
            self.memory.approve(self._id, sha256=self._shown)
        except RefusedError as error:
            self.code = error.refusal.code if isinstance(error.refusal, Refusal) else error.message


@pytest.mark.parametrize("path", GATE, ids=[path.stem for path in GATE])
def test_the_gate_ends_each_story_as_the_corpus_says(path: Path, tmp_path: Path) -> None:
    case = json.loads(path.read_text("utf-8"))
    memory = Memory(path=str(tmp_path / ".upheld"), why="a test")
    memory.init(passphrase=False, automation=tuple(case["automation"]))
    story = _Story(memory)
    for step in case["steps"]:
        story.step(step)
    assert story.code == case["expect"]["code"]
    served = memory.recall(case["expect"]["key"]).outcome == "verified"
    assert served == case["expect"]["served"]
