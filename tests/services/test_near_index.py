"""The near index finds in a whole store what is like a new text, follows every change, and is never relied on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from keeping import kept_store
from upheld.compose.judging import near_at
from upheld.compose.library import Memory
from upheld.errors import RefusedError
from upheld.model.proposal_view import Decision
from upheld.model.written import Written
from upheld.services import current_instructions
from upheld.services.base import Base
from upheld.services.current_instructions import Surroundings, Wanted, surroundings
from upheld.services.near import catch_up
from upheld.services.snapshot import read_index
from upheld.stores.directory import DirectoryStore
from upheld.stores.near_file import NearFile, near_file
from upheld.stores.state_directory import StateReader

SUBJECTS = ("invoices", "rivers", "lanterns", "bridges", "kettles", "orchards", "violins", "glaciers")
TASKS = ("{} are counted in spring", "the colour of {} is chosen", "letters about {} go to the archive")


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A store larger than what is compared with whole."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(current_instructions, "MAX_COMPARED", 4)
    memory = kept_store(tmp_path)
    for subject in SUBJECTS:
        text = f"{TASKS[len(subject) % 3].format(subject).capitalize()} by the keeper of {subject}.\n"
        memory.remember(subject, text, when=f"Working with {subject}.", because="So it is.")
    return memory


@contextmanager
def based(memory: Memory) -> Iterator[Base]:
    with DirectoryStore(memory.path) as store:
        yield Base(store, read_index(store)[1], "2026-01-01")


@contextmanager
def near_of(memory: Memory) -> Iterator[NearFile]:
    with closing(near_at(StateReader(os.environ["XDG_STATE_HOME"] + "/upheld", memory.path).place)) as near:
        yield near


def around(memory: Memory, text: str, *, late: bool = False) -> Surroundings:
    with based(memory) as base, near_of(memory) as near:
        return surroundings(base, Wanted(key="new", texts=(text,)), near, lambda: late)


def test_what_is_nearly_the_same_is_found_wherever_it_stands(memory: Memory) -> None:
    text = "Letters about lanterns go to the archive, by a keeper.\n"
    said = memory.remember("other", text, when="Sorting post.", because="x.", dry_run=True)
    assert isinstance(said, Written)
    assert any("POL045" in note and "lanterns" in note for note in said.notes)
    with pytest.raises(RefusedError) as error:
        memory.propose("other", text, when="Sorting post.", because="x.")
    assert "POL018" in str(error.value)


def test_it_follows_corrections_and_retirements(memory: Memory) -> None:
    text = "Kettles are never lent to anybody outside the kitchen.\n"
    memory.correct("kettles", text, because="It changed.")
    assert [one.key for one in around(memory, text).instructions] == ["kettles"]
    memory.retire("kettles", because="No more.")
    assert around(memory, text).instructions == ()


def test_what_was_not_read_in_before_the_deadline_is_said_and_comes_with_the_next(memory: Memory) -> None:
    with near_of(memory) as near:
        os.unlink(near._file)
    first = around(memory, "Rivers of note.\n", late=True)
    assert (first.compared, first.total) == (0, len(SUBJECTS))
    assert around(memory, "Rivers of note.\n").compared == len(SUBJECTS)


def test_a_damaged_file_costs_the_comparison_and_is_made_anew(memory: Memory) -> None:
    with near_of(memory) as near:
        file = Path(near._file)
    file.write_bytes(b"no database at all" * 100)
    cut = around(memory, "Letters about lanterns go to the archive by the keeper of lanterns.\n")
    assert cut.compared < cut.total
    whole = around(memory, "Letters about lanterns go to the archive by the keeper of lanterns.\n")
    assert whole.compared == whole.total


def test_a_file_that_others_could_have_written_is_not_used(memory: Memory) -> None:
    with near_of(memory) as near:
        file = Path(near._file)
    assert file.stat().st_mode & 0o077 == 0
    os.chmod(file, 0o666)
    assert around(memory, "Anything.\n").compared < len(SUBJECTS)


def test_no_text_is_in_it(memory: Memory) -> None:
    with near_of(memory) as near:
        data = Path(near._file).read_bytes()
    assert b"archive" not in data
    assert b"Working" not in data


def test_a_store_that_stands_still_is_not_read_again(memory: Memory) -> None:
    with based(memory) as base, near_of(memory) as near:
        assert catch_up(base, near, lambda: False)
        assert catch_up(base, near, lambda: True)


def test_two_proposals_of_one_review_are_compared_with_each_other(memory: Memory) -> None:
    ids = [
        memory.propose(key, f"The ferry leaves {words} from the old pier.\n", when=f"Planning {key}.", because="x.").id
        for key, words in (("ferry-one", "daily at noon"), ("ferry-two", "daily at noon, always"))
    ]
    seen: list[str] = []

    class Asked:
        is_person = True

        def agrees(self, planned: object) -> bool:
            seen.extend(getattr(planned, "notes"))  # noqa: B009
            return True

        def secret(self, prompt: str) -> str | None:
            return None

    decisions = [Decision(id=one, sha256=memory.show(one).sha256, act="approve") for one in ids]
    memory.decide(decisions, ask=Asked())
    assert any(("POL045" in note or "POL044" in note) and "ferry-" in note for note in seen)


def test_the_file_lies_in_the_users_own_state(tmp_path: Path) -> None:
    file = near_file(str(tmp_path), "path:/somewhere")
    with closing(NearFile(file)) as near:
        assert near.count() == 0
    assert os.stat(os.path.dirname(file)).st_mode & 0o077 == 0
