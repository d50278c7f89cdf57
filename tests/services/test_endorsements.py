"""An acceptance that came through an agent's client is written down as such, decides nothing, and ranks below a person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from keeping import kept_store, run, text_of
from upheld.compose.library import Memory
from upheld.errors import RefusedError
from upheld.model.proposal_view import Decided
from upheld.services.seal_store import SEALING_VERBS

TEXT = "# Deploys\n\nDeploy to production on weekdays before 15:00 UTC.\n"


def proposed(memory: Memory) -> str:
    return memory.propose("deploy", TEXT, when="Before deploying.", because="Agreed.").id


def endorse(memory: Memory, made: str, client: str = "some-client") -> None:
    memory.endorse(made, sha256=memory.show(made).sha256, client=client, protocol="elicitation")


def test_an_endorsement_serves_nothing_and_is_shown_as_what_it_is(memory: Memory) -> None:
    made = proposed(memory)
    endorse(memory, made)
    assert memory.recall("deploy").outcome == "refused"
    assert memory.inbox().lines[0].endorsed == 1
    shown = run("show", made, "--store", memory.path).out
    assert "endorsed through some-client (elicitation): an agent's client can answer without a person" in shown


def test_it_does_not_stand_in_for_the_person(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    memory = Memory(path=str(folder / ".upheld"), why="a test")
    memory.init(passphrase=False, automation=tuple(v for v in SEALING_VERBS if v != "approve"), accept=("SIG030",))
    made = proposed(memory)
    for client in ("one", "two", "three"):
        endorse(memory, made, client)
    with pytest.raises(RefusedError) as error:
        memory.approve(made, sha256=memory.show(made).sha256)
    assert "POL050" in str(error.value)
    assert memory.recall("deploy").outcome == "refused"


def test_an_acceptance_of_other_bytes_is_refused(memory: Memory) -> None:
    made = proposed(memory)
    old = memory.show(made).sha256
    path = Path(memory.path, "proposals", f"{made}.json")
    path.write_text(path.read_text().replace("15:00", "23:00"))
    with pytest.raises(RefusedError, match="POL030"):
        memory.endorse(made, sha256=old, client="some-client", protocol="elicitation")
    assert memory.inbox().lines[0].endorsed == 0


def test_one_client_counts_once_and_an_approval_of_the_bytes_before_it_is_void(memory: Memory) -> None:
    made = proposed(memory)
    before = memory.show(made).sha256
    endorse(memory, made)
    endorse(memory, made)
    assert memory.inbox().lines[0].endorsed == 1
    with pytest.raises(RefusedError, match="POL030"):
        memory.approve(made, sha256=before)


def test_the_record_says_that_a_person_decided_and_that_a_client_had_accepted(memory: Memory) -> None:
    made = proposed(memory)
    endorse(memory, made)
    done = memory.approve(made, sha256=memory.show(made).sha256)
    assert isinstance(done, Decided)
    assert text_of(memory, "deploy") == TEXT
    held = json.loads(next(Path(memory.path, "records").iterdir()).read_text())
    assert "; endorsed through some-client" in held["evidence"]
    assert held["reviewed_by"] not in ("", "some-client")


def test_another_store_knows_nothing_of_it(memory: Memory, tmp_path: Path) -> None:
    made = proposed(memory)
    endorse(memory, made)
    folder = tmp_path / "second"
    folder.mkdir()
    assert kept_store(folder).inbox().total == 0
