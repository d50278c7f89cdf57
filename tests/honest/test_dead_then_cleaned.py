"""A writer dies at any step, somebody reads, and the folder is cleaned away: whatever was read is brought back."""

from __future__ import annotations

from pathlib import Path

import pytest
from honest_world import VERBS, Machine, World, copied, dying_at, removed

from team_world import GIT
from upheld.model.answer import Answer, Refusal

pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")
_MOST_STEPS = 60


@pytest.fixture
def ada(tmp_path: Path) -> Machine:
    machine = World(tmp_path).machine("ada")
    machine.must("init", "--no-passphrase", "--automation", VERBS, "--yes")
    machine.act(lambda memory: memory.remember("alpha", "Do it in way 0.\n", when="about alpha", because="New."))
    return machine


def told(machine: Machine) -> str:
    outcome = machine.recall("alpha")
    assert isinstance(outcome, Answer), outcome
    return outcome.text


def test_what_a_reader_accepted_from_a_dead_writer_outlives_the_folder(ada: Machine) -> None:
    survived = 0
    for step in range(1, _MOST_STEPS + 1):
        said = f"Do it in way {step}.\n"
        with dying_at(step):
            ada.act(lambda memory, text=said: memory.correct("alpha", text, because="It changed."))  # type: ignore[misc]
        read = told(ada)
        removed(ada.store())
        refusal = ada.recall("alpha")
        assert isinstance(refusal, Refusal)
        assert refusal.code == "RBK004"
        ada.must("doctor", "--fix", "--yes")
        assert told(ada) == read, step
        survived += read == said
        ada.world.now += 60
    # The last steps are those of a commit that is through, and the first of one that never was.
    assert 0 < survived < _MOST_STEPS


def test_a_store_that_was_pinned_by_hand_can_be_brought_back(ada: Machine) -> None:
    bob = ada.world.machine("bob")
    copied(ada.store(), bob.store())
    bob.must("trust", "pin", ada.root_digest)
    removed(bob.store())
    bob.must("doctor", "--fix", "--yes")
    assert told(bob) == told(ada)
