"""A person clears an inbox of twenty at a terminal, with undo, and one signature seals what they approved."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from keeping import run, text_of
from upheld.cli.app import COMMANDS
from upheld.compose.library import Memory

SUBJECTS = (
    "invoices", "rivers", "lanterns", "bridges", "notebooks", "harbours", "kettles", "orchards", "tunnels", "violins",
    "meadows", "compasses", "glaciers", "windmills", "saddles", "pottery", "telescopes", "beehives", "ferries", "looms",
)  # fmt: skip
ACTS = "y" * 5 + "n" * 3 + "nu" + "s" * 2 + "y" * 10
"""Five yes, three no, a no that is taken back, two left, ten more yes: one key a decision."""


class Typist:
    """A person at a terminal: types the next key when they are asked."""

    def __init__(self, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        environ = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        command = [sys.executable, "-m", "upheld", *arguments]
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environ, close_fds=True)
        os.close(slave)
        self.seen = ""
        self._at = 0

    def wait_for(self, words: str, seconds: float = 60) -> str:
        """Wait until the words are shown; return what was shown since the last wait."""
        until = time.monotonic() + seconds
        while words not in self.seen[self._at :]:
            if time.monotonic() > until or not self._read():
                raise AssertionError(f"never shown: {words!r}; shown: {self.seen[self._at :][-2000:]}")
        start, self._at = self._at, self.seen.index(words, self._at) + len(words)
        return self.seen[start : self._at]

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self) -> int:
        while self._read():
            pass
        os.close(self._master)
        return self.process.wait(30)

    def stop(self) -> None:
        """End what a failed test left behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(30)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], 60)
        try:
            data = os.read(self._master, 65536) if ready else b""
        except OSError:
            return False
        self.seen += data.decode("utf-8", "replace")
        return bool(data)


@pytest.fixture
def typist() -> Iterator[Callable[..., Typist]]:
    """Starts commands at a terminal, and ends those that are left."""
    started: list[Typist] = []

    def start(*arguments: str) -> Typist:
        started.append(Typist(*arguments))
        return started[-1]

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def inbox(memory: Memory) -> Memory:
    """Twenty proposals about twenty things."""
    for subject in SUBJECTS:
        text = f"# {subject.title()}\n\nKeep {subject} in the register of {subject}.\n"
        memory.propose(subject, text, when=f"Working with {subject}.", because="It was agreed.")
    return memory


def test_an_inbox_of_twenty_is_cleared_one_key_a_decision_and_sealed_once(
    inbox: Memory, typist: Callable[..., Typist]
) -> None:
    ids = [line.id for line in inbox.inbox().lines]
    keys = [line.key for line in inbox.inbox().lines]
    before = len(list((Path(inbox.path) / "log").iterdir()))
    person = typist("inbox", "--review", "--store", inbox.path)
    for act in ACTS:
        shown = person.wait_for("[q] end: ")
        assert act == "u" or "as an agent would be served it" in shown or "undone" in shown
        person.type(act)
    person.wait_for("15 to approve, 3 to reject, 2 to leave")
    assert sorted(p.name for p in (Path(inbox.path) / "log").iterdir())[before:] == []
    person.wait_for("seal 15 proposals? [y/N] ")
    person.type("y\n")
    assert person.end() == 0, person.seen[-2000:]
    approved = [key for key, act in zip(keys, ACTS.replace("nu", ""), strict=True) if act == "y"]
    assert [key for key in keys if inbox.recall(key).outcome == "verified"] == approved
    assert len(list((Path(inbox.path) / "log").iterdir())) == before + 15
    assert len(list((Path(inbox.path) / "seals").iterdir())) == 1
    assert [line.id for line in inbox.inbox().lines] == ids[8:10]
    assert [one.key for one in inbox.rejections()] == keys[5:8]


def test_a_review_that_is_ended_with_no_at_the_end_changes_nothing(
    inbox: Memory, typist: Callable[..., Typist]
) -> None:
    person = typist("inbox", "--review", "--store", inbox.path)
    for act in "yyq":
        person.wait_for("[q] end: ")
        person.type(act)
    person.wait_for("seal 2 proposals? [y/N] ")
    person.type("\n")
    assert person.end() == 12
    assert inbox.inbox().total == 20
    assert inbox.recall(SUBJECTS[0]).outcome == "refused"


def test_an_approval_at_a_terminal_shows_the_frame_and_asks(inbox: Memory, typist: Callable[..., Typist]) -> None:
    line = inbox.inbox().lines[0]
    person = typist("approve", line.id, "--store", inbox.path)
    shown = person.wait_for("[y/N] ")
    assert f"Keep {line.key} in the register of {line.key}." in shown
    assert "[upheld " in shown
    person.type("y\n")
    assert person.end() == 0
    assert line.key in text_of(inbox, line.key)


def test_without_a_terminal_nobody_reviews_approves_or_lifts(inbox: Memory) -> None:
    first = inbox.inbox().lines[0].id
    for arguments in (("inbox", "--review"), ("approve", first), ("reject", "--lift", first)):
        ran = run(*arguments, "--store", inbox.path)
        assert ran.code == 2
        assert "terminal" in ran.err
    assert inbox.inbox().total == 20


@pytest.mark.parametrize("verb", ["propose", "inbox", "show", "approve", "reject", "import"])
def test_every_command_of_the_gate_is_listed_and_shows_an_example(verb: str) -> None:
    assert verb in COMMANDS
    ran = run(verb, "--help")
    assert ran.code == 0
    assert f"upheld {verb}" in ran.out


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_in_a_proposal_acts_on_the_terminal_that_shows_it(memory: Memory, form: str) -> None:
    from upheld.model.proposal import Asker, Proposal
    from upheld.stores.proposal_box import ProposalBox
    from upheld.wire import proposal as wire

    hostile = "\x1b]0;owned\x07\n::error::x\r##[command]"
    made = Proposal(
        id="hostile-0001", kind="new", key="deploy", at="2026-01-01T00:00:00Z", text=f"Deploy. {hostile}",
        because=hostile, read_when=hostile, source=hostile, fires=(hostile,), asker=Asker(client=hostile, words=hostile),
    )  # fmt: skip
    with ProposalBox(memory.path) as box:
        try:
            box.put_new(made.id, wire.encode(made))
        finally:
            for arguments in (("inbox",), ("show", made.id)):
                ran = run(*arguments, "--store", memory.path, "--format", form)
                for text in (ran.out, ran.err):
                    assert "\x1b" not in text
                    assert "\r" not in text
                    assert "\n::error" not in text
                    assert "##[" not in text
