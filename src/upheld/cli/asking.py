"""Ask a person at a terminal: a yes, a reason, a text in their editor. Without a terminal nothing waits."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from typing import TextIO

from upheld.cli import unsaved
from upheld.compose.person import editor
from upheld.errors import UsageError
from upheld.model.value import Value
from upheld.model.written import Written
from upheld.ports.person import Ask
from upheld.render.change import announced
from upheld.render.escape import escape

MAX_INPUT = 1024 * 1024


class Terminal(Value):
    """The person at this process's terminal.

    Attributes:
        yes: they agreed on the command line.
        whole: they want to see every file of the change before they are asked.
    """

    yes: bool = False
    whole: bool = False

    @property
    def is_person(self) -> bool:
        """Whether somebody is really asked. See ``ports.person.Ask``."""
        return not self.yes

    def agrees(self, planned: Written) -> bool:
        """Show the change on standard error and ask. See ``ports.person.Ask``."""
        if self.yes:
            return True
        agreed = says_yes(announced(planned, whole=self.whole), f"{planned.verb} {planned.key}".strip() + "?")
        if agreed is None:
            raise UsageError(
                f"`{planned.verb}` needs a person's yes, and there is no terminal to ask at",
                help="look at it with --dry-run; answer with --yes",
            )
        return agreed

    def secret(self, prompt: str) -> str | None:
        """Ask for a passphrase. See ``ports.person.Ask``."""
        source = person()
        if source is None:
            return None
        source.close()
        from getpass import getpass

        return getpass(prompt) or None


def person() -> TextIO | None:
    """Return where a person's answers come from; None where nobody watches.

    Questions go to standard error. Where standard input is taken (a text was piped in), the terminal itself is read.
    """
    if not sys.stderr.isatty():
        return None
    if sys.stdin is not None and sys.stdin.isatty():
        return os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8", errors="replace")
    try:
        return open("/dev/tty", encoding="utf-8", errors="replace")
    except OSError:
        return None


def says_yes(shown: str, question: str) -> bool | None:
    """Show something on standard error and ask about it: the one way in which a yes is had from a person.

    Args:
        shown: what they agree to; escaped already.
        question: asked after it; escaped here.

    Returns:
        What they said; None where nobody watches.
    """
    source = person()
    if source is None:
        return None
    with source:
        sys.stderr.write(shown)
        return _line(source, f"{escape(question)} [y/N] ").lower() in ("y", "yes")


def _line(source: TextIO, question: str) -> str:
    sys.stderr.write(question)
    sys.stderr.flush()
    return source.readline().strip()


def words(given: str | None, option: str, question: str) -> str:
    """Return what was given, or ask for it at a terminal.

    Raises:
        UsageError: it was not given and nobody can be asked.
    """
    if given is not None:
        return given
    source = person()
    if source is None:
        raise UsageError(f"{option} is missing", help=f"say it in a sentence: {option} '...'")
    with source:
        answer = _line(source, f"{question} ")
    if not answer:
        raise UsageError(f"{option} is missing", help=f"say it in a sentence: {option} '...'")
    return answer


def given_text(text: str | None, file: str | None) -> bytes | None:
    """Return the text of the argument, of a file, or of standard input (``-``); None where none of them is given.

    Raises:
        UsageError: both are given, or the file cannot be read.
    """
    if text is not None and file is not None:
        raise UsageError("both a text and --file are given", help="give one of them")
    if text == "-" or file == "-":
        return _standard_input()
    if text is not None:
        return (text if text.endswith("\n") else f"{text}\n").encode("utf-8", "surrogateescape")
    if file is None:
        return None
    try:
        with open(file, "rb") as opened:
            return opened.read(MAX_INPUT)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {os.strerror(error.errno or 0)}") from None


def text_or_ask(text: str | None, file: str | None, start: str) -> bytes:
    """Return the text that is given; else what is piped in, else what a person writes in their editor.

    Args:
        text: see ``given_text``.
        file: see ``given_text``.
        start: what the editor opens with.

    Raises:
        UsageError: there is none.
    """
    found = given_text(text, file)
    if found is not None:
        return found
    if sys.stdin is None or not sys.stdin.isatty():
        found = _standard_input()
        if found.strip():
            return found
        raise UsageError("there is no text", help="give it as an argument, with --file, or on standard input")
    return edited(start)


def _standard_input() -> bytes:
    return b"" if sys.stdin is None else sys.stdin.buffer.read(MAX_INPUT)


def edited(start: str) -> bytes:
    """Let a person write a text in their editor.

    Raises:
        UsageError: there is no editor, it failed, or the text is empty or was left as it was. What was written is kept
            until the command is done (``cli.unsaved``).
    """
    command = editor(os.environ)
    if command is None:
        raise UsageError("no editor is set", help="set VISUAL or EDITOR, or give the text as an argument")
    with tempfile.TemporaryDirectory(prefix="upheld-") as folder:
        path = os.path.join(folder, "instruction.md")
        with open(path, "w", encoding="utf-8", newline="") as opened:
            opened.write(start)
        try:
            done = subprocess.run([*shlex.split(command), path], check=False)  # noqa: S603 - the person's own editor
        except (OSError, ValueError) as error:
            raise UsageError(
                f"the editor {escape(command)} could not be started: {error}",
                help="set VISUAL or EDITOR to one that is there, or give the text as an argument",
            ) from None
        data = _written(path)
    if data.strip() and data != start.encode("utf-8"):
        unsaved.keep(data)
    if done.returncode != 0:
        raise UsageError(f"the editor {escape(command)} ended with {done.returncode}, so nothing was changed")
    if not data.strip():
        raise UsageError("the text is empty, so nothing was changed")
    if data == start.encode("utf-8"):
        raise UsageError("the text was left as it was, so nothing was changed")
    return data


def _written(path: str) -> bytes:
    try:
        with open(path, "rb") as written:
            return written.read(MAX_INPUT)
    except OSError:
        return b""  # some editors take the file away where nothing was saved


_: type[Ask] = Terminal
