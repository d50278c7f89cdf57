"""The routing cases of the conformance corpus: pointers and a task in, the only right answer out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance_case import CORPUS
from upheld.model.route import Rule, Task
from upheld.routing.build import build
from upheld.routing.index import Index
from upheld.routing.lint import lint
from upheld.routing.router import route
from upheld.wire.trigger import decode_trigger

CASES = sorted((CORPUS / "routing").glob("*.json"))


def rule_of(said: dict[str, Any]) -> tuple[Rule, set[str]]:
    """One pointer of a case as a rule, and the codes of what is wrong with its form."""
    trigger, faults = decode_trigger(said.get("trigger"), "index.json")
    rule = Rule(
        key=said["key"],
        read_when=said["read_when"],
        trigger=trigger,
        fires=tuple(said.get("fires", ())),
        nots=tuple(said.get("nots", ())),
        broken=str(faults[0]) if faults else "",
    )
    return rule, {fault.code for fault in faults}


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_routing_case(case: Path) -> None:
    said: dict[str, Any] = json.loads(case.read_text("utf-8"))
    pairs = [rule_of(pointer) for pointer in said["pointers"]]
    rules = tuple(rule for rule, _ in pairs)
    codes = {finding.code for finding in lint(rules)}.union(*(faults for _, faults in pairs))
    assert codes == set(said.get("lint", codes))
    if "task" in said:
        at_hand = {name: tuple(value) for name, value in said["task"].items() if name != "text"}
        task = Task(text=said["task"]["text"], **at_hand)
        answer = route(task, Index(build(rules)))
        wanted = said["expect"]
        assert (answer.outcome, list(answer.keys)) == (wanted["outcome"], wanted["keys"]), answer
        if "choices" in wanted:
            assert [choice.key for choice in answer.choices] == wanted["choices"]
        if codes & {"TRG001", "TRG002"}:
            assert answer.skipped, "what never fires is said"


def test_every_case_is_named_after_a_code_that_it_is_about() -> None:
    assert CASES
    for case in CASES:
        code = case.stem.partition("-")[0]
        assert code == "OK" or code in json.loads(case.read_text("utf-8"))["lint"]
