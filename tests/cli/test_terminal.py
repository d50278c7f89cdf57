"""A person at a terminal: the passphrase and the question, typed into real processes on a pseudo-terminal."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

PASSPHRASE = "correct horse battery\n"
YES = ("[y/N]", "y\n")
TYPED = ("passphrase of", PASSPHRASE)
_SECONDS = 60
REMEMBER = ("remember", "notes", "Write notes for the reader.", "--when", "Before writing.", "--because", "As agreed.")
CORRECT = ("correct", "notes", "Write notes for the person who upgrades.", "--because", "It was too vague.")


class Person:
    """Somebody in a folder of their own, with a home of their own, who answers each prompt once."""

    def __init__(self, folder: Path) -> None:
        self.project, home = folder / "project", folder / "home"
        self.project.mkdir()
        home.mkdir()
        places = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("STATE", "CONFIG", "DATA", "CACHE")}
        self._environ = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "dumb", "LOGNAME": "ada", **places}
        self.key = home / "config" / "upheld" / "key"

    def types(self, *arguments: str, answers: tuple[tuple[str, str], ...] = ()) -> tuple[int, str]:
        """Run a command; return its exit code and all that was on the screen. Every prompt must have its answer."""
        pid, screen = pty.fork()
        if pid == 0:  # the child: nothing of pytest may run in it
            os.chdir(self.project)
            os.execve(sys.executable, [sys.executable, "-m", "upheld", *arguments], self._environ)
        shown, seen, left = "", 0, list(answers)
        while part := _read(screen):
            shown += part
            if left and left[0][0] in shown[seen:]:
                seen = len(shown)
                os.write(screen, left.pop(0)[1].encode())
        os.close(screen)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert left == [], f"never asked: {left}\n{shown}"
        return code, shown.replace("\r\n", "\n")


def _read(screen: int) -> str:
    ready, _, _ = select.select([screen], [], [], _SECONDS)
    if not ready:
        raise AssertionError("the command waits for something that nobody was told to type")
    try:
        return os.read(screen, 65536).decode("utf-8", "replace")
    except OSError:  # Linux says that the child is gone in this way
        return ""


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_from_init_to_a_corrected_instruction_in_a_new_process(person: Person) -> None:
    code, shown = person.types("init", answers=(YES, TYPED, ("again", PASSPHRASE)))
    assert code == 0, shown
    assert f"the store lies in {person.project / '.upheld'}" in shown
    assert "next: `upheld remember" in shown
    assert b"PRIVATE KEY" in person.key.read_bytes()
    code, shown = person.types(*REMEMBER, answers=(YES, TYPED))
    assert code == 0, shown
    assert "| Write notes for the reader." in shown.partition("[y/N]")[0], "the text is shown before the question"
    code, shown = person.types(*CORRECT, answers=(YES, TYPED))
    assert code == 0, shown
    code, shown = person.types("recall", "notes")
    assert code == 0
    assert shown.startswith("Write notes for the person who upgrades.\n")
    assert "verified: notes (seal, " in shown


def test_a_passphrase_is_never_shown(person: Person) -> None:
    _, shown = person.types("init", answers=(YES, TYPED, ("again", PASSPHRASE)))
    assert PASSPHRASE.strip() not in shown


@pytest.mark.parametrize(
    ("answers", "exit_code", "said"),
    [
        ((("[y/N]", "n\n"),), 12, "you said no: nothing was changed"),
        ((("[y/N]", "\n"),), 12, "you said no: nothing was changed"),
        ((YES, *(("passphrase of", wrong) for wrong in ("a\n", "b\n", "c\n"))), 12, "the passphrase is wrong"),
    ],
)
def test_who_says_no_or_mistypes_changes_nothing(
    person: Person, answers: tuple[tuple[str, str], ...], exit_code: int, said: str
) -> None:
    person.types("init", answers=(YES, TYPED, ("again", PASSPHRASE)))
    before = (person.project / ".upheld" / "index.json").read_bytes()
    code, shown = person.types(*REMEMBER, answers=answers)
    assert (code, said in shown) == (exit_code, True), shown
    assert (person.project / ".upheld" / "index.json").read_bytes() == before


def test_who_mistypes_once_may_type_it_again(person: Person) -> None:
    person.types("init", answers=(YES, TYPED, ("again", PASSPHRASE)))
    code, shown = person.types(*REMEMBER, answers=(YES, ("passphrase of", "another\n"), ("try again", PASSPHRASE)))
    assert code == 0, shown


def test_two_passphrases_that_differ_make_neither_key_nor_store(person: Person) -> None:
    code, shown = person.types("init", answers=(YES, TYPED, ("again", "something else\n")))
    assert (code, "the two passphrases differ; nothing was made" in shown) == (12, True), shown
    assert not person.key.exists()
    assert not (person.project / ".upheld").exists()


def test_yes_does_not_answer_for_a_verb_that_the_policy_does_not_list(person: Person) -> None:
    person.types("init", answers=(YES, TYPED, ("again", PASSPHRASE)))
    code, shown = person.types(*REMEMBER, "--yes")
    assert code == 4
    assert "POL050" in shown
