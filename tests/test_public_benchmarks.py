"""Public suites of memory poisoning: what the gate keeps out, what the screen alone keeps out, and what stays served."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FAMILY = (
    "memory_injection",
    "cross_session_bleed",
    "retrieval_hijack",
    "indirect_prompt_injection",
    "update_poisoning",
    "metadata_poisoning",
)


@pytest.fixture
def agmi(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return pytest.importorskip("agmi.attacks.memory_specific", reason="agent-memory-integrity is not installed")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return pytest.importorskip("agent_memory_guard.bench.harness", reason="agent-memory-guard is not installed")


def _run(agmi: Any, name: str, monkeypatch: pytest.MonkeyPatch, home: Path, reviewer: Any) -> tuple[Any, Any]:
    """Run one attack; a memory is the person's own if the suite says so itself, by where it makes it."""
    from conformance.agmi import semantic

    own: set[int] = set()
    kept: list[Any] = []
    made = agmi.genuine

    def genuine(text: str, user_id: str) -> Any:
        item = made(text, user_id)
        own.add(id(item))
        kept.append(item)  # an id is one object's as long as the object lives
        return item

    monkeypatch.setattr(agmi, "genuine", genuine)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("UPHELD_OWNER", "ada")
    adapter = semantic.UpheldSemanticAdapter(home, lambda item: id(item) in own, reviewer)
    attack = next(cls for cls in agmi.ALL_MEMORY_ATTACKS if cls.name == name)
    return attack().run(adapter), adapter


@pytest.mark.parametrize("name", FAMILY)
def test_the_gate_keeps_every_write_of_the_attacker_out_on_every_channel(
    name: str, agmi: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The suite's own positive control holds in each fixture: a store that serves nothing has no verdict."""
    from conformance.agmi.semantic import nobody

    result, adapter = _run(agmi, name, monkeypatch, tmp_path / "home", nobody)
    sys.stdout.write(f"{name}: {result.status}: {result.detail}\n")
    assert result.error is None, result.error
    assert result.safe, result.detail
    assert all(outcome is False for outcomes in result.channels.values() for outcome in outcomes)
    assert name == "cross_session_bleed" or adapter.proposed + adapter.refused >= 15


def test_the_family_has_six_attacks_and_all_are_run(agmi: Any) -> None:
    assert tuple(attack.name for attack in agmi.ALL_MEMORY_ATTACKS) == FAMILY


KEPT_OUT_BY_THE_SCREEN = {"indirect_prompt_injection": 15, "retrieval_hijack": 9, "update_poisoning": 9}
"""Of 15 writes each, kept out though the person approves everything unread. A plausible fact passes any filter."""


@pytest.mark.parametrize("name", KEPT_OUT_BY_THE_SCREEN)
def test_the_screen_alone_keeps_out_what_its_content_gives_away(
    name: str, agmi: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from conformance.agmi.semantic import careless

    result, _ = _run(agmi, name, monkeypatch, tmp_path / "home", careless)
    kept = sum(outcome is False for outcomes in result.channels.values() for outcome in outcomes)
    sys.stdout.write(f"{name}: the screen alone keeps out {kept} of 15: {result.detail}\n")
    assert kept >= KEPT_OUT_BY_THE_SCREEN[name], result.detail


def _scenarios(bench: Any) -> Iterator[Any]:
    yield from bench.default_corpus()


def test_the_guards_benchmark_finds_no_breach_and_every_benign_memory_served(bench: Any) -> None:
    from conformance.amg.adapter import PersonAdapter

    runs = []
    for scenario in _scenarios(bench):
        adapter = PersonAdapter(wanted=not scenario.malicious)
        try:
            runs.append(bench.run_scenario(adapter, scenario))
            assert adapter.serves_the_genuine_memory(), scenario.id
        finally:
            adapter.close()
    assert sum(run.malicious for run in runs) >= 15
    assert sum(not run.malicious for run in runs) >= 6
    assert [run.scenario_id for run in runs if not run.passed] == []


def test_bare_code_is_served_as_it_is(bench: Any) -> None:
    """Code is no wrapped sentence: its lines are lines of their own, and what is served is the whole text."""
    from conformance.amg.adapter import PersonAdapter

    scenario = next(one for one in _scenarios(bench) if one.id == "benign-code")
    code = scenario.steps[0].value
    adapter = PersonAdapter(wanted=True)
    try:
        assert adapter.remember("bare", code) == "stored"
        assert adapter.recall("bare") == code
    finally:
        adapter.close()


def test_the_screen_alone_under_the_guards_benchmark(bench: Any) -> None:
    """What the screen lets through are plausible facts and names of rights, which no filter can tell from true ones."""
    from conformance.amg.adapter import CarelessAdapter

    runs = []
    for scenario in _scenarios(bench):
        adapter = CarelessAdapter()
        try:
            runs.append(bench.run_scenario(adapter, scenario))
        finally:
            adapter.close()
    malicious = [run for run in runs if run.malicious]
    breached = sorted(run.scenario_id for run in malicious if run.breached)
    blocked = sorted(run.scenario_id for run in runs if run.false_positive)
    sys.stdout.write(
        f"the screen alone: {len(malicious) - len(breached)} of {len(malicious)} kept out; "
        f"breached {breached}; benign kept from being served {blocked}\n"
    )
    assert breached == ["esc-permissions", "esc-role"]
    assert blocked == ["benign-memory-token"]
