"""What a person is told at the command line before they approve: what else fires, take-overs, blanket triggers."""

from __future__ import annotations

import pytest

from keeping import run
from upheld.compose.library import Memory
from upheld.model.trigger_edit import TriggerEdit


@pytest.fixture
def store(memory: Memory) -> str:
    """A store with one instruction that has an example."""
    memory.remember(
        "refunds",
        "Refund orders below fifty euros without a call.\n",
        when="A customer asks for a refund.",
        because="Agreed.",
        trigger=TriggerEdit(fires=("pay the customer back for the broken lamp",)),
    )
    return memory.path


def propose(store: str, key: str, when: str, *more: str) -> str:
    text = "Answer in the language of the letter."
    ran = run("propose", key, text, "--when", when, "--because", "Heard.", *more, "--store", store)
    assert ran.code == 0, ran.err
    return ran.out


def shown(store: str) -> str:
    ran = run("inbox", "--store", store)
    return run("show", ran.out.split()[0], "--store", store).out


def test_what_else_the_trigger_fires_is_named(store: str) -> None:
    said = propose(store, "letters", "Writing letters.", "--fires", "pay the customer back for the broken lamp")
    assert "what fires `letters` fires `refunds` as well" in said
    assert "POL042" in said
    text = shown(store)
    assert "its examples fire these as well: refunds" in text
    assert "POL042" in text


def test_a_blanket_trigger_is_flagged(store: str) -> None:
    assert "POL041" in propose(store, "letters", "Always, for every task.")
    assert "POL041" in shown(store)


def test_a_trigger_of_its_own_is_not(store: str) -> None:
    said = propose(store, "letters", "Writing letters to suppliers.", "--fires", "draft a letter to the paper mill")
    assert "look twice" not in said
    assert "fire these as well" not in shown(store)


def test_a_person_who_writes_is_told_as_well(store: str) -> None:
    ran = run(
        "remember", "letters", "Answer in the language of the letter.", "--because", "Agreed.", "--dry-run",
        "--when", "pay the customer back for the broken lamp", "--store", store,
    )  # fmt: skip
    assert "what fires `letters` fires `refunds` as well" in ran.out


def test_where_the_route_index_is_missing_it_is_said(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upheld.compose.judging.would_fire_at", lambda place, sha256: None)
    assert "what else would fire with `letters` was not looked at" in propose(store, "letters", "Writing letters.")
