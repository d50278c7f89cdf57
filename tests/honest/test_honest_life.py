"""No false alarm: whatever honest people do to their store, no attack is ever named, and there is always a way on.

The model is a dictionary for each machine: what everybody published when it last looked, and its own drafts on top.
Run it longer with HYPOTHESIS_PROFILE=thorough.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from honest_world import VERBS, Machine, World, copied, dying_at, removed
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from team_world import GIT, git
from upheld.errors import ConflictError, UpheldError
from upheld.model.answer import Answer

KEYS = st.sampled_from(("alpha", "beta", "gamma"))
WHO = st.integers(0, 7)
WAYS = st.sampled_from((("doctor", "--fix", "--yes"), ("sync", "--pull")))
THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"

ALLOWED = {
    "DAT005": "the clock of the writer is ahead: wait until the day has come here",
    "RBK009": "this clock was set back past midnight: wait, or `trust clock --reset`",
    "RBK016": "another work tree of this repository moved on: `doctor --fix` or `sync --pull`",
}
"""Every refusal that honest life may meet without having asked for it, and the way on that the machine then takes."""


class Person:
    """What one machine should say: ``seen`` is what it knows to be published, ``drafts`` its own changes since."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.seen: dict[str, str] = {}
        self.drafts: dict[str, str] = {}
        self.root_draft = False
        self.is_in_step = True
        """Whether this machine knows what is everybody's; a store that was pinned by hand does not, before a sync."""
        self.backup: tuple[Path, dict[str, str], dict[str, str]] | None = None

    @property
    def says(self) -> dict[str, str]:
        return {**self.seen, **self.drafts}


class HonestLife(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="upheld-honest-"))
        self.world = World(self.folder)
        self.people: list[Person] = []
        self.published: dict[str, str] = {}
        self.published_root = ""
        self.is_key_copied = False
        self.count = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def person(self, who: int) -> Person:
        return self.people[who % len(self.people)]

    def text(self) -> str:
        self.count += 1
        return f"Do it in way {self.count}.\n"

    @initialize()
    def start(self) -> None:
        ada = Person(self.world.machine("ada"))
        ada.machine.must("init", "--no-passphrase", "--automation", VERBS, "--yes")
        self.people.append(ada)
        for key in ("alpha", "beta"):
            self.write(ada, key, ada.machine.tree)
        bob = self.world.machine("bob")
        bob.key.parent.mkdir(parents=True)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(bob.key)], check=True)
        ada.machine.must("trust", "add-key", f"{bob.key}.pub", "--name", "bob", "--yes")
        ada.machine.must("sync", "--yes")
        self.landed(ada)
        self.join(bob)

    def join(self, machine: Machine) -> Person:
        """A fresh clone with a pin, as docs/how-to/teams.md says."""
        assert machine.run("sync", "--pull").code == 4
        assert not machine.store().exists()
        machine.must("trust", "pin", self.published_root)
        made = Person(machine)
        made.seen = dict(self.published)
        self.people.append(made)
        return made

    def landed(self, person: Person) -> None:
        self.published |= person.drafts
        self.published_root = person.machine.root_digest
        self.in_step(person)
        person.drafts, person.root_draft = {}, False

    def in_step(self, person: Person) -> None:
        person.seen, person.is_in_step = dict(self.published), True

    def dropped(self, person: Person) -> None:
        """Drafts gave way: to the version that was in step last, or for a copy that never was, to the published one."""
        if not person.is_in_step:
            self.in_step(person)
        person.drafts, person.root_draft = {}, False

    # --- writing ------------------------------------------------------------------------------------------------------

    def write(self, person: Person, key: str, tree: Path, text: str = "") -> None:
        text = text or self.text()
        if key in person.says:
            person.machine.act(lambda memory: memory.correct(key, text, because="It changed."), tree)
        else:
            person.machine.act(lambda memory: memory.remember(key, text, when=f"about {key}", because="New."), tree)
        person.drafts[key] = text

    def current_tree(self, person: Person, which: int) -> Path:
        """Choose a work tree; one that is behind is brought up first, as its refusal says."""
        tree = person.machine.trees[which % len(person.machine.trees)]
        self.settled(person, tree)
        return tree

    def is_of_clocks(self, error: UpheldError) -> None:
        assert "DAT00" in str(error) or "RBK009" in str(error), error

    @rule(who=WHO, key=KEYS, which=WHO)
    def change(self, who: int, key: str, which: int) -> None:
        person = self.person(who)
        tree = self.current_tree(person, which)
        try:
            self.write(person, key, tree)
        except UpheldError as error:
            self.is_of_clocks(error)
            self.wait()
            self.write(person, key, tree)

    @rule(who=WHO, key=KEYS, step=st.integers(1, 45))
    def die_while_writing(self, who: int, key: str, step: int) -> None:
        person = self.person(who)
        tree = self.current_tree(person, 0)
        before, text = dict(person.drafts), self.text()
        with dying_at(step):
            try:
                self.write(person, key, tree, text)
            except UpheldError as error:
                self.is_of_clocks(error)
        person.drafts = before
        outcome = person.machine.recall(key, tree)
        if isinstance(outcome, Answer) and outcome.text == text:
            person.drafts[key] = text

    @rule(who=WHO, days=st.integers(30, 300))
    def renew(self, who: int, days: int) -> None:
        person = self.person(who)
        tree = self.current_tree(person, 0)
        said = person.machine.run("trust", "renew", "--days", days, "--yes", tree=tree)
        assert said.code == 0 or "nothing would change" in said.text or "RBK009" in said.text, said
        person.root_draft = person.root_draft or said.code == 0

    @precondition(lambda self: not self.is_key_copied)
    @rule(died=st.booleans(), step=st.integers(1, 50))
    def rotate(self, died: bool, step: int) -> None:
        """Bob's key gives way to a new one, which seals from then on; the others may have drafts under the old root."""
        bob = self.people[1]
        self.share(bob, "--theirs")
        self.settled(bob, bob.machine.tree)
        self.count += 1
        new = bob.machine.key.with_name(f"key-{self.count}")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(new)], check=True)
        words = ("trust", "rotate", "--old", "bob", "--to", new, "--yes")
        before = bob.machine.root_digest
        with dying_at(step if died else 10_000):
            bob.machine.must(*words)
        self.settled(bob, bob.machine.tree)
        if bob.machine.root_digest == before:
            bob.machine.must(*words)
        for suffix in ("", ".pub"):
            Path(f"{new}{suffix}").replace(f"{bob.machine.key}{suffix}")
        self.share(bob, "--theirs")

    # --- sharing ------------------------------------------------------------------------------------------------------

    @rule(who=WHO, side=st.sampled_from(("--mine", "--theirs")))
    def sync(self, who: int, side: str) -> None:
        self.share(self.person(who), side)

    def share(self, person: Person, side: str) -> None:
        """Sync, and settle what is in conflict, as the refusals say."""
        machine = person.machine
        for _ in range(6):
            said = machine.run("sync", "--yes")
            if said.code == 0:
                self.landed(person)
                return
            if "RBK009" in said.text or "DAT00" in said.text:
                self.wait()
            elif "the trust root" in said.text and "changed here and by others" in said.text:
                machine.must("draft", "drop", "--yes")
                self.dropped(person)
            else:
                key = next((key for key in person.drafts if f"`{key}`" in said.text), None)
                assert key is not None, said
                assert machine.run("resolve", key, side, "--yes").code in (0, ConflictError.exit_code), said
                if side == "--theirs":
                    del person.drafts[key]
        raise AssertionError(f"six syncs, and still: {said}")

    @rule(who=WHO, step=st.integers(1, 60))
    def die_while_syncing(self, who: int, step: int) -> None:
        person = self.person(who)
        with dying_at(step):
            person.machine.run("sync", "--yes")
        self.share(person, "--theirs")

    @rule(who=WHO)
    def pull(self, who: int) -> None:
        person = self.person(who)
        said = person.machine.run("sync", "--pull")
        if said.code != 0:
            assert "RBK009" in said.text or "DAT00" in said.text, said
            self.wait()
            person.machine.must("sync", "--pull")
        if not person.drafts and not person.root_draft:
            self.in_step(person)

    @precondition(lambda self: any(person.drafts for person in self.people))
    @rule(who=WHO)
    def drop(self, who: int) -> None:
        person = self.person(who)
        if person.drafts:
            said = person.machine.run("draft", "drop", "--yes")
            if said.code != 0:  # a copy that was pinned by hand and has never been in step with the remote
                assert "nothing was ever published" in said.text, said
                assert not person.is_in_step, said
                return
            self.dropped(person)

    # --- what happens to folders --------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.people) < 4)
    @rule()
    def fresh_clone(self) -> None:
        machine = self.world.machine(f"clone{len(self.people)}")
        machine.key.parent.mkdir(parents=True)
        for suffix in ("", ".pub"):
            if (source := Path(f"{self.people[0].machine.key}{suffix}")).exists():
                shutil.copy2(source, f"{machine.key}{suffix}")
        try:
            self.join(machine)
        except AssertionError as error:
            if "DAT00" not in str(error) and "RBK009" not in str(error):
                raise
            self.wait()
            machine.must("trust", "pin", self.published_root)
            self.people.append(Person(machine))
            self.people[-1].seen = dict(self.published)

    @rule(who=WHO, way=WAYS)
    def second_work_tree(self, who: int, way: tuple[str, ...]) -> None:
        person = self.person(who)
        if len(person.machine.trees) > 1:
            return
        tree = person.machine.home / "second"
        git("worktree", "add", "--quiet", "-b", "second", str(tree), folder=person.machine.tree)
        person.machine.trees.append(tree)
        refusal = person.machine.recall("alpha", tree)
        assert not isinstance(refusal, Answer)
        assert refusal.code == "RBK004"
        self.bring_back(person, tree, way)

    @rule(who=WHO, which=WHO, way=WAYS)
    def git_clean(self, who: int, which: int, way: tuple[str, ...]) -> None:
        person = self.person(who)
        tree = person.machine.trees[which % len(person.machine.trees)]
        git("clean", "-ffdxq", folder=tree)
        assert not person.machine.store(tree).exists()
        refusal = person.machine.recall("alpha", tree)
        assert not isinstance(refusal, Answer)
        assert refusal.code == "RBK004"
        self.bring_back(person, tree, way)

    def bring_back(self, person: Person, tree: Path, way: tuple[str, ...]) -> None:
        said = person.machine.run(*way, tree=tree)
        if said.code != 0:
            assert "RBK009" in said.text or "DAT00" in said.text, (way, said)
            self.wait()
            person.machine.must(*way, tree=tree)
        if way[0] == "sync" and not person.drafts and not person.root_draft:
            self.in_step(person)

    @rule(who=WHO, which=WHO)
    def branch_switch(self, who: int, which: int) -> None:
        self.count += 1
        machine = self.person(who).machine
        tree = machine.trees[which % len(machine.trees)]
        assert ".upheld" not in git("status", "--porcelain", folder=tree)
        git("checkout", "--quiet", "-b", f"branch-{self.count}", folder=tree)
        (tree / "code").write_text(str(self.count))
        git("commit", "--quiet", "--all", "--message=more", folder=tree)
        git("checkout", "--quiet", "main" if tree == machine.tree else "second", folder=tree)

    @rule(who=WHO, linked=st.booleans())
    def back_up(self, who: int, linked: bool) -> None:
        """Copy the folder beside itself, or link every file of it there."""
        self.count += 1
        person = self.person(who)
        self.settled(person, person.machine.tree)
        kept = person.machine.home / f"backup-{self.count}"
        shutil.copytree(person.machine.store(), kept, copy_function=os.link if linked else shutil.copy2)
        if not linked and not person.root_draft:
            person.backup = (kept, dict(person.seen), dict(person.drafts))

    @rule(who=WHO)
    def restore_on_purpose(self, who: int) -> None:
        """A person puts a backup back and says so: forget, then pin."""
        person = self.person(who)
        if person.backup is None or len(person.machine.trees) > 1:
            return
        machine, (kept, person.seen, person.drafts) = person.machine, person.backup
        person.backup, person.root_draft, person.is_in_step = None, False, False
        digest = self.root_of(kept)
        self.forget(machine)
        removed(machine.store())
        copied(kept, machine.store())
        machine.must("trust", "pin", digest)

    def root_of(self, store: Path) -> str:
        import hashlib

        roots = sorted(store.glob("trust/[0-9]*.json"), key=lambda path: int(path.stem))
        return hashlib.sha256(roots[-1].read_bytes()).hexdigest()

    def forget(self, machine: Machine) -> None:
        from upheld.compose.trusting import forget

        with machine.here():
            forget(str(machine.store()))  # the command asks at a terminal, and then does this

    @precondition(lambda self: len(self.people) < 4)
    @rule(who=WHO)
    def copied_to_another_machine(self, who: int) -> None:
        person = self.person(who)
        if person.drafts or person.root_draft:
            return
        self.settled(person, person.machine.tree)
        machine = self.world.machine(f"copy{len(self.people)}")
        self.is_key_copied = self.is_key_copied or person is self.people[1]
        shutil.copytree(person.machine.home / "config", machine.home / "config")
        copied(person.machine.store(), machine.store())
        refusal = machine.recall("alpha")
        assert not isinstance(refusal, Answer)
        assert refusal.code == "RBK006"
        machine.must("trust", "pin", self.root_of(machine.store()))
        made = Person(machine)
        made.seen, made.is_in_step = dict(person.seen), False
        self.people.append(made)

    # --- time ---------------------------------------------------------------------------------------------------------

    @rule(minutes=st.sampled_from((1, 4, 15, 700, 1440 - 3)))
    def time_passes(self, minutes: int) -> None:
        self.world.now += 60 * minutes

    @rule(who=WHO, seconds=st.sampled_from((-420, -60, 0, 240)))
    def a_clock_is_set(self, who: int, seconds: int) -> None:
        self.person(who).machine.skew = seconds

    def wait(self) -> None:
        """What a clock that is a few minutes off asks for."""
        self.world.now += 20 * 60

    # --- what must hold -----------------------------------------------------------------------------------------------

    def settled(self, person: Person, tree: Path) -> None:
        """Recall everything in one work tree; whatever is refused is allowed, and its way on leads on."""
        for key, text in person.says.items():
            for _ in range(3):
                outcome = person.machine.recall(key, tree)
                if isinstance(outcome, Answer):
                    break
                assert outcome.code in ALLOWED, (outcome, person.machine.home.name)
                if outcome.code == "RBK016":
                    assert len(person.machine.trees) > 1
                    person.machine.must("doctor", "--fix", "--yes", tree=tree)
                else:
                    self.wait()
            assert isinstance(outcome, Answer), outcome
            assert outcome.text == text, (key, person.machine.home.name)

    @invariant()
    def everybody_is_served_what_is_current(self) -> None:
        for person in self.people:
            for tree in person.machine.trees:
                self.settled(person, tree)


def test_honest_life_is_never_called_an_attack() -> None:
    if GIT is None or shutil.which("ssh-keygen") is None:
        pytest.skip("git or ssh-keygen is not installed")
    HonestLife.TestCase.settings = settings(
        max_examples=300 if THOROUGH else 12,
        stateful_step_count=30 if THOROUGH else 14,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(HonestLife, settings=HonestLife.TestCase.settings)
