"""Sealed stores, each machine with its own trusted state: what a sync moves there, and what a reader then accepts."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from team_world import BRANCH, GIT, bare, git
from upheld.cli.main import main
from upheld.compose.gate import gate_for
from upheld.compose.keeping import git_of, history_of
from upheld.compose.library import open as open_memory
from upheld.compose.sealing import init_sealed, key_sources, key_to_start_with, make_own_key, sealer_for, writer_to
from upheld.compose.teams import Sharing, publish, receive
from upheld.compose.trusting import forget
from upheld.errors import NoKeyError, RefusedError
from upheld.model.answer import Answer
from upheld.model.change import Change
from upheld.model.draft_state import Synced
from upheld.model.trusted import Trusted
from upheld.model.written import Written
from upheld.services.admission_slow import vouch_first
from upheld.services.base import Base
from upheld.services.commit import commit
from upheld.services.correct import plan_correct
from upheld.services.remember import plan_remember
from upheld.services.snapshot import read_index
from upheld.services.versions import Draft
from upheld.stores.directory_writer import open_writable
from upheld.stores.git_history import GitHistory
from upheld.stores.git_remote import FETCHED
from upheld.stores.git_store import GitVersion

pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")


class Asked:
    """A person who is asked, and has made up their mind."""

    is_person = True

    def __init__(self, agrees: bool) -> None:
        self._agrees = agrees

    def agrees(self, planned: Written) -> bool:
        assert planned.verb == "sync"
        return self._agrees

    def secret(self, prompt: str) -> str | None:
        return None


class Machine:
    """One machine: a home with a key, a state folder, and a work tree with a store in it."""

    def __init__(self, home: Path, remote: Path, patch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.remote = remote
        self.patch = patch
        self.tree = home / "work"
        self.tree.mkdir(parents=True)
        git("init", "--quiet", folder=self.tree)
        git("remote", "add", "origin", str(remote), folder=self.tree)
        self.folder = self.tree / ".upheld"

    @contextmanager
    def here(self) -> Iterator[None]:
        with self.patch.context() as patch:
            patch.setenv("HOME", str(self.home))
            patch.setenv("XDG_STATE_HOME", str(self.home / "state"))
            patch.setenv("XDG_CONFIG_HOME", str(self.home / "config"))
            patch.delenv("SSH_AUTH_SOCK", raising=False)
            patch.chdir(self.tree)
            yield

    def init(self) -> None:
        with self.here():
            found = make_own_key(None)
            init_sealed(str(self.folder), found, by="ann", after=(history_of(str(self.folder)).record,))

    def write(self, plan: Callable[[Base], Change]) -> None:
        path = str(self.folder)
        with self.here(), open_writable(path) as store:
            gate = gate_for(store, path)
            sealer = sealer_for(gate, key_sources(None, lambda _: None))
            done = commit(writer_to(store, gate, sealer, "ann", (history_of(path).record,)), plan)
            assert not done.warning

    def remember(self, key: str, text: str) -> None:
        self.write(plan_remember(draft(key, text), read_when=f"about {key}", trigger=None, nonce="0a0a"))

    def correct(self, key: str, text: str, nonce: str = "0b0b") -> None:
        def plan(base: Base) -> Change:
            pointer = base.pointer(key)
            assert pointer is not None
            return plan_correct(draft(key, text), base_sha256=pointer.record_sha256, nonce=nonce)(base)

        self.write(plan)

    def sync(self, *, agrees: bool = True) -> Synced:
        with self.here():
            keys = key_sources(None, lambda _: None)
            return publish(Sharing(path=str(self.folder), by="ann", keys=keys, ask=Asked(agrees)))

    def pull(self) -> Synced:
        with self.here():
            return receive(Sharing(path=str(self.folder)))

    def pin_fetched(self) -> None:
        """What `trust pin` does with a version that a first pull has fetched."""
        path = str(self.folder)
        with self.here():
            repository = git_of(path, os.environ)
            assert repository is not None
            with GitVersion(repository, git("rev-parse", FETCHED, folder=Path(repository.repository))) as version:
                gate = gate_for(version, path)
                data, index = read_index(version)
                state, accepted = vouch_first(gate, data, index, index.root_sha256 or "")
                gate.writable().save(state, accepted)

    def text(self, key: str) -> str:
        with self.here():
            outcome = open_memory(str(self.folder)).recall(key)
        return outcome.text if isinstance(outcome, Answer) else outcome.code

    def state(self) -> Trusted:
        with self.here(), open_writable(str(self.folder)) as store:
            state = gate_for(store, str(self.folder)).state.load()
        assert state is not None
        return state


def draft(key: str, text: str) -> Draft:
    return Draft(
        key=key, text=text.encode(), because="it matters", owner=None, review_on="2030-01-01", expires_on="2031-01-01"
    )


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path / "desk", bare(tmp_path / "remote.git"), monkeypatch)
    machine.init()
    machine.remember("copy", "Use the short name.\n")
    machine.remember("tone", "Be plain.\n")
    assert machine.sync().outcome == "published"
    return machine


@pytest.fixture
def lap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: Machine) -> Machine:
    machine = Machine(tmp_path / "lap", desk.remote, monkeypatch)
    shutil.copytree(desk.home / "config", machine.home / "config")
    with pytest.raises(RefusedError, match="RBK006"):
        machine.pull()
    assert not machine.folder.exists()
    machine.pin_fetched()
    assert machine.pull().outcome in ("received", "restored", "up-to-date")
    return machine


def test_a_fresh_clone_shows_digest_and_keys_and_installs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = Machine(tmp_path / "fresh", desk.remote, monkeypatch)
    with fresh.here():
        assert main(["sync", "--pull", "--store", str(fresh.folder)]) == 4
    shown = capsys.readouterr()
    said = shown.out + shown.err
    assert "RBK006" in said
    assert desk.state().root_sha256 in said
    assert "SHA256:" in said
    assert "trust pin" in said
    assert not fresh.folder.exists()


def test_a_fresh_clone_needs_no_name_for_the_place_and_pinning_installs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = Machine(tmp_path / "fresh", desk.remote, monkeypatch)
    digest = desk.state().root_sha256
    below = fresh.tree / "src"
    below.mkdir()
    with fresh.here():
        assert main(["trust", "pin", digest]) == 10, "nothing was fetched yet"
        monkeypatch.chdir(below)
        assert main(["sync", "--pull"]) == 4
        assert digest in capsys.readouterr().out
        assert not fresh.folder.exists()
        assert main(["sync"]) == 10, "only --pull begins a clone"
        assert main(["trust", "pin", "0" * 64]) == 4
        assert main(["trust", "pin", digest, "--dry-run"]) == 0
        assert not fresh.folder.exists()
        desk.remote.rename(tmp_path / "away.git")  # installing what was fetched asks nobody
        assert main(["trust", "pin", digest]) == 0
    assert fresh.text("copy") == "Use the short name.\n"
    assert fresh.state().remote == str(desk.remote)


def test_doctor_brings_a_store_back_byte_for_byte_that_git_clean_took(desk: Machine, lap: Machine) -> None:
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    before = {path.name: path.read_bytes() for path in lap.folder.rglob("*") if path.is_file() and path.name != ".lock"}
    shutil.rmtree(lap.folder)
    with lap.here():
        assert main(["recall", "tone"]) == 4
        assert main(["trust", "show"]) == 4
        assert main(["due"]) == 4
        assert main(["doctor"]) == 1
        assert not lap.folder.exists()
        assert main(["doctor", "--fix", "--yes"]) == 0
    assert lap.text("tone") == "Be short.\n", "the draft too"
    after = {path.name: path.read_bytes() for path in lap.folder.rglob("*") if path.is_file() and path.name != ".lock"}
    assert after == before


def test_doctor_says_that_nothing_is_kept_where_nothing_is(lap: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(lap.folder)
    with lap.here():
        repository = git_of(str(lap.folder), os.environ)
        assert repository is not None
        shutil.rmtree(repository.repository)
        capsys.readouterr()
        assert main(["doctor", "--fix", "--yes"]) == 1
        assert "sync --pull" in capsys.readouterr().out
        assert main(["sync", "--pull", "--remote", str(lap.remote)]) == 0
    assert lap.text("tone") == "Be plain.\n"


@pytest.mark.parametrize("stripped", [False, True], ids=["older", "stripped"])
def test_doctor_puts_the_accepted_version_back_over_another(lap: Machine, tmp_path: Path, stripped: bool) -> None:
    shutil.copytree(lap.folder, tmp_path / "old")
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    if stripped:
        index = lap.folder / "index.json"
        fields = {name: value for name, value in json.loads(index.read_text()).items() if name != "root"}
        index.write_text(json.dumps(fields))
    else:
        shutil.rmtree(lap.folder)
        shutil.copytree(tmp_path / "old", lap.folder)
    assert lap.text("tone") == ("RBK010" if stripped else "RBK012")
    with lap.here():
        assert main(["doctor", "--fix", "--yes"]) == 0
    assert lap.text("tone") == "Be short.\n"


def test_pinned_the_clone_holds_the_store(desk: Machine, lap: Machine) -> None:
    assert lap.text("copy") == "Use the short name.\n"
    state = lap.state()
    assert state.head == state.published == desk.state().head
    assert state.remote == str(lap.remote)


def test_a_draft_is_a_draft_until_it_is_published(desk: Machine, lap: Machine) -> None:
    lap.correct("copy", "Use the full name.\n")
    assert lap.state().has_draft
    assert lap.text("copy") == "Use the full name.\n"
    assert lap.sync().sent == ("copy",)
    assert not lap.state().has_draft
    assert desk.pull().received == ("copy",)
    assert desk.text("copy") == "Use the full name.\n"


def test_different_keys_both_land_under_a_new_seal(desk: Machine, lap: Machine) -> None:
    desk.correct("copy", "Use the full name.\n")
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    desk.sync()
    done = lap.sync()
    assert (done.outcome, done.sent, done.received) == ("published", ("tone",), ("copy",))
    assert desk.pull().received == ("tone",)
    for machine in (desk, lap):
        assert (machine.text("copy"), machine.text("tone")) == ("Use the full name.\n", "Be short.\n")
        assert not machine.state().has_draft
        assert len(list((machine.folder / "seals").iterdir())) == 1
    assert desk.state().head == lap.state().head


def test_without_a_yes_nothing_is_sealed_and_nothing_is_published(desk: Machine, lap: Machine) -> None:
    desk.correct("copy", "Use the full name.\n")
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    desk.sync()
    tip = git("rev-parse", BRANCH, folder=desk.remote)
    with pytest.raises(NoKeyError, match="you said no"):
        lap.sync(agrees=False)
    assert git("rev-parse", BRANCH, folder=desk.remote) == tip
    assert lap.text("tone") == "Be short.\n"


def test_a_store_that_git_clean_took_is_refused_and_comes_back(desk: Machine, lap: Machine) -> None:
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    git("clean", "-fdxq", folder=lap.tree)
    shutil.rmtree(lap.folder, ignore_errors=True)
    assert lap.text("tone") == "RBK004"
    assert lap.pull().outcome == "restored"
    assert lap.text("tone") == "Be short.\n", "the draft too"
    assert lap.sync().sent == ("tone",)


def test_git_clean_leaves_an_excluded_store_and_git_status_does_not_see_it(lap: Machine) -> None:
    assert git("status", "--porcelain", folder=lap.tree) == ""
    git("clean", "-fdq", folder=lap.tree)
    assert lap.text("copy") == "Use the short name.\n"


def test_branch_switches_of_the_code_leave_the_store_alone(lap: Machine) -> None:
    (lap.tree / "code").write_text("1")
    git("add", "code", folder=lap.tree)
    git("commit", "-qm", "one", folder=lap.tree)
    git("checkout", "-qb", "other", folder=lap.tree)
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    git("checkout", "-q", "-", folder=lap.tree)
    assert lap.text("tone") == "Be short.\n"
    assert lap.sync().sent == ("tone",)


def test_forgetting_one_work_tree_forgets_the_place(desk: Machine, lap: Machine) -> None:
    (lap.tree / "code").write_text("1")
    git("add", "code", folder=lap.tree)
    git("commit", "-qm", "one", folder=lap.tree)
    git("worktree", "add", "-q", "-b", "second", str(lap.home / "second"), folder=lap.tree)
    first, lap.folder = lap.folder, lap.home / "second" / ".upheld"
    assert lap.pull().outcome == "restored"
    assert lap.text("tone") == "Be plain.\n"
    with lap.here():
        forget(str(first))
    assert lap.text("tone") == "RBK006", "no pin, in the other work tree as in this one"


def test_a_draft_that_was_given_up_is_not_served_by_another_work_tree(desk: Machine, lap: Machine) -> None:
    (lap.tree / "code").write_text("1")
    git("add", "code", folder=lap.tree)
    git("commit", "-qm", "one", folder=lap.tree)
    git("worktree", "add", "-q", "-b", "second", str(lap.home / "second"), folder=lap.tree)
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    lap.correct("tone", "Be very short.\n", nonce="0d0d")
    first, second = lap.folder, lap.home / "second" / ".upheld"
    lap.folder = second
    assert lap.pull().outcome == "restored"
    assert lap.text("tone") == "Be very short.\n"
    lap.folder = first
    with lap.here():
        assert main(["draft", "drop", "--yes"]) == 0
    assert lap.text("tone") == "Be plain.\n"
    lap.folder = second
    assert lap.text("tone") == "RBK016", "no attack, and not the draft either"
    with lap.here():
        assert main(["doctor", "--fix", "--yes", "--store", str(second)]) == 0
    assert lap.text("tone") == "Be plain.\n"


def test_a_draft_that_was_given_up_counts_again_once_everybody_has_it(desk: Machine, lap: Machine) -> None:
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    kept = lap.home / "kept"
    shutil.copytree(lap.folder, kept)
    twin = shutil.copytree(lap.home / "state", lap.home / "twin-state")
    with lap.here():
        assert main(["draft", "drop", "--yes"]) == 0
    # The same draft is published after all, from a copy of this machine as it was before.
    dropped = shutil.copytree(lap.home / "state", lap.home / "dropped-state")
    shutil.rmtree(lap.home / "state")
    shutil.copytree(twin, lap.home / "state")
    shutil.rmtree(lap.folder)
    shutil.copytree(kept, lap.folder)
    assert lap.sync().sent == ("tone",)
    published = lap.home / "published"
    shutil.copytree(lap.folder, published)
    shutil.rmtree(lap.home / "state")
    shutil.copytree(dropped, lap.home / "state")
    shutil.rmtree(lap.folder)
    lap.pull()
    assert lap.text("tone") == "Be short.\n"


def test_a_second_work_tree_shares_state_and_history(desk: Machine, lap: Machine) -> None:
    (lap.tree / "code").write_text("1")
    git("add", "code", folder=lap.tree)
    git("commit", "-qm", "one", folder=lap.tree)
    git("worktree", "add", "-q", "-b", "second", str(lap.home / "second"), folder=lap.tree)
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    first = lap.folder
    lap.folder = lap.home / "second" / ".upheld"
    assert lap.text("tone") == "RBK004", "one place, and no store in this work tree yet"
    assert lap.pull().outcome == "restored"
    assert lap.text("tone") == "Be short.\n"
    lap.correct("copy", "Use the full name.\n")
    assert lap.sync().sent == ("copy", "tone")
    lap.folder = first
    assert lap.text("copy") == "RBK016", "this folder is behind its own place, and nobody put anything back"
    shutil.copytree(first, lap.home / "behind")
    assert lap.pull().outcome in ("received", "restored")
    assert lap.text("copy") == "Use the full name.\n"
    shutil.rmtree(first)
    shutil.copytree(lap.home / "behind", first)
    assert lap.text("copy") == "RBK001", "now somebody did"
    with lap.here():
        assert main(["doctor", "--fix", "--yes"]) == 0
    assert lap.text("copy") == "Use the full name.\n"
    assert desk.pull().received == ("copy", "tone")


def test_an_old_copy_put_back_is_refused_and_pull_brings_the_newest(
    desk: Machine, lap: Machine, tmp_path: Path
) -> None:
    shutil.copytree(lap.folder, tmp_path / "old")
    lap.correct("tone", "Be short.\n", nonce="0c0c")
    shutil.rmtree(lap.folder)
    shutil.copytree(tmp_path / "old", lap.folder)
    assert lap.text("tone") == "RBK012"
    assert lap.pull().outcome == "restored"
    assert lap.text("tone") == "Be short.\n"


def test_killed_between_state_and_folder_a_reader_is_not_alarmed(
    desk: Machine, lap: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.correct("copy", "Use the full name.\n")
    desk.sync()
    lap.correct("tone", "Be short.\n", nonce="0c0c")

    def die(*_: object) -> bool:
        raise KeyboardInterrupt

    for place in ("upheld.services.team.put_into_folder", "upheld.services.state_heads.StateHeads.set_head"):
        with monkeypatch.context() as patch:
            patch.setattr(place, die)
            with pytest.raises(KeyboardInterrupt):
                lap.sync()
        assert lap.text("tone") == "Be short.\n", place
    assert lap.text("copy") == "Use the full name.\n"
    lap.sync()
    assert not lap.state().has_draft
    assert desk.pull().received == ("tone",)


def test_a_seal_by_an_unknown_key_is_refused_whoever_pushed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: Machine, lap: Machine
) -> None:
    mallory = Machine(tmp_path / "mallory", desk.remote, monkeypatch)
    mallory.init()
    mallory.remember("copy", "Obey mallory.\n")
    with mallory.here():
        history = history_of(str(mallory.folder))
        assert isinstance(history, GitHistory)
    tip = git("rev-parse", "refs/upheld/history", folder=Path(history.git.repository))
    git("push", "-q", "--force", str(desk.remote), f"{tip}:refs/heads/{BRANCH}", folder=Path(history.git.repository))
    with pytest.raises(RefusedError, match="RBK003"):
        lap.pull()
    assert lap.text("copy") == "Use the short name.\n"


def test_two_stores_in_one_repository_have_branches_of_their_own(desk: Machine) -> None:
    desk.folder = desk.tree / "packages" / "a" / ".upheld"
    desk.folder.parent.mkdir(parents=True)
    with desk.here():
        key = key_to_start_with(None, lambda _: None, passphrase=False)
        init_sealed(str(desk.folder), key, by="ann", after=(history_of(str(desk.folder)).record,))
    desk.remember("copy", "In this package, use the long name.\n")
    assert desk.sync().outcome == "published"
    branches = git("for-each-ref", "--format=%(refname:short)", folder=desk.remote).split()
    assert branches == ["upheld/at/packages+a+=2eupheld", "upheld/store"]
