"""A copy of a store that was pinned by hand does not know what is everybody's; giving its drafts up asks the remote."""

from __future__ import annotations

from pathlib import Path

import pytest
from honest_world import VERBS, Machine, World, copied

from team_world import BRANCH, GIT, git
from upheld.model.answer import Answer

pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")


def told(machine: Machine) -> str:
    outcome = machine.recall("alpha")
    assert isinstance(outcome, Answer), outcome
    return outcome.text


def correct(machine: Machine, text: str) -> None:
    machine.act(lambda memory: memory.correct("alpha", text, because="It changed."))
    machine.world.now += 60


@pytest.fixture
def ada(tmp_path: Path) -> Machine:
    machine = World(tmp_path).machine("ada")
    machine.must("init", "--no-passphrase", "--automation", VERBS, "--yes")
    machine.act(lambda memory: memory.remember("alpha", "One.\n", when="about alpha", because="New."))
    machine.must("sync", "--yes")
    return machine


@pytest.fixture
def copy(ada: Machine) -> Machine:
    machine = ada.world.machine("copy")
    copied(ada.home / "config", machine.home / "config")
    copied(ada.store(), machine.store())
    machine.must("trust", "pin", ada.root_digest)
    return machine


def test_both_went_on_so_the_drafts_give_way_to_what_was_published(ada: Machine, copy: Machine) -> None:
    correct(copy, "Mine.\n")
    correct(ada, "Everybody's.\n")
    ada.must("sync", "--yes")
    assert "`alpha`" in copy.must("draft", "drop", "--yes")
    assert told(copy) == "Everybody's.\n"
    copy.must("sync", "--yes")
    correct(copy, "Ours.\n")
    copy.must("sync", "--yes")
    ada.must("sync", "--yes")
    assert told(ada) == told(copy) == "Ours.\n"


def test_a_trust_root_that_both_changed_leads_somewhere(ada: Machine, copy: Machine) -> None:
    copy.must("trust", "renew", "--days", 90, "--yes")
    ada.must("trust", "renew", "--days", 200, "--yes")
    ada.must("sync", "--yes")
    said = copy.run("sync", "--yes")
    assert said.code != 0
    assert "upheld draft drop" in said.text
    copy.must("draft", "drop", "--yes")
    assert copy.root_digest == ada.root_digest
    copy.must("sync", "--yes")


def test_a_version_that_ours_contains_is_no_reason_to_go_back(ada: Machine, copy: Machine) -> None:
    first = git("rev-parse", f"refs/heads/{BRANCH}", folder=ada.world.remote)
    correct(ada, "Two.\n")
    ada.must("sync", "--yes")
    late = ada.world.machine("late")
    copied(ada.home / "config", late.home / "config")
    copied(ada.store(), late.store())
    late.must("trust", "pin", ada.root_digest)
    git("update-ref", f"refs/heads/{BRANCH}", first, folder=ada.world.remote)
    said = late.run("draft", "drop", "--yes")
    assert said.code == 2
    assert "nothing was ever published" in said.text
    assert told(late) == "Two.\n"
