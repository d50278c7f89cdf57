"""Finds the code in a Markdown page and runs it, so that what the page shows is what happens.

The convention, for whoever writes a page:

* A fenced block marked ``console`` is a session. A line that begins with ``$`` and a space is a command for a POSIX
  shell; lines right under it that begin with ``>`` and a space continue it. The lines up to the next command are all
  that it prints, standard error included. Space at the end of a line does not count.
* A line ``...`` stands for any number of lines, and ``...`` inside a line for any text within it. A command with
  nothing under it prints nothing.
* A command exits 0, or the last line under it says with what: ``[exit 4]``.
* A block marked ``python`` is executed; what it prints is not compared, so it asserts what it claims. A block marked
  ``pycon`` is a doctest, where ``...`` works too.
* All blocks of one page run in order, in one fresh directory that is also ``HOME``; ``cd``, exported variables and
  Python's names last to the end of the page.
* ``<!-- not run: REASON -->`` on the line before a block exempts that block. Without a reason it is an error, and so is
  code under another name (``sh``, ``bash``), which would escape this file.
* Blocks of other languages, or of none, are text.
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

_RUN = frozenset({"console", "python", "pycon"})
_CODE_BY_ANOTHER_NAME = frozenset({"bash", "fish", "py", "python3", "sh", "shell", "shell-session", "zsh"})
_FENCE = re.compile(r"(?P<indent> *)(?P<ticks>`{3,}|~{3,})\s*(?P<language>[\w+-]*)")
_EXEMPT = re.compile(r"\s*<!--\s*not run:(?P<reason>.*?)-->\s*")
_EXIT = re.compile(r"\[exit (\d+)\]")
_SECONDS = 120

# A command's shell takes up the directory and the exported variables of the one before, and leaves its own. The file
# that carries them lies outside the page's directory, where `ls` does not show it.
_SHELL = """\
if [ -e "$SNIPPET_STATE" ]; then . "$SNIPPET_STATE"; cd "$PWD" || exit 99; fi
trap 'export -p >"$SNIPPET_STATE"' EXIT
"""


class SnippetError(AssertionError):
    """A page shows something that does not happen, or is itself malformed."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One fenced block: ``line`` is that of its opening fence, counted from 1; a ``reason`` says why it is not run."""

    page: str
    line: int
    language: str
    text: str
    reason: str | None = None

    @property
    def runs(self) -> bool:
        """Whether the block is code that nobody exempted."""
        return self.reason is None and self.language in _RUN


@dataclass(frozen=True, kw_only=True)
class Step:
    """One command of a session, what it must print and must exit with; ``line`` is its line on the page."""

    line: int
    command: str
    expected: tuple[str, ...]
    exit_code: int


# --- reading a page -----------------------------------------------------------------------------------------------


def blocks(markdown: str, page: str) -> list[Block]:
    """Every fenced block of a page, in order.

    Raises:
        SnippetError: a fence is never closed, an exemption gives no reason or stands before no block, or code is
            marked with a name that is not run.
    """
    found: list[Block] = []
    reason: str | None = None
    lines = enumerate(markdown.splitlines(), 1)
    for number, line in lines:
        place = f"{page}:{number}"
        if exempt := _EXEMPT.fullmatch(line):
            reason = _stated(exempt["reason"], place)
        elif fence := _FENCE.match(line):
            text = _body(lines, fence, place)
            block = Block(page=page, line=number, language=fence["language"], text=text, reason=reason)
            found.append(_checked(block, place))
            reason = None
        elif reason is not None:
            raise SnippetError(f"{place}: `not run` belongs on the line right before a block")
    if reason is not None:
        raise SnippetError(f"{page}: `not run` belongs on the line right before a block")
    return found


def _stated(reason: str, place: str) -> str:
    if not reason.strip():
        raise SnippetError(f"{place}: `not run` needs a reason")
    return reason.strip()


def _checked(block: Block, place: str) -> Block:
    if block.reason is None and block.language in _CODE_BY_ANOTHER_NAME:
        raise SnippetError(f"{place}: mark `{block.language}` as console or python, so that it is run")
    return block


def _body(lines: Iterator[tuple[int, str]], fence: re.Match[str], place: str) -> str:
    """The lines up to the closing fence, without the indentation of the opening one."""
    body = ""
    for _, line in lines:
        bare = line.strip()
        if bare.startswith(fence["ticks"]) and not bare.strip(fence["ticks"][0]):
            return body
        body += line.removeprefix(fence["indent"]) + "\n"
    raise SnippetError(f"{place}: the block is never closed")


def steps(session: Block) -> list[Step]:
    """The commands of a ``console`` block.

    Raises:
        SnippetError: the block begins with something other than a command.
    """
    found: list[Step] = []
    lines = session.text.splitlines()
    while lines:
        line = session.line + 1 + len(session.text.splitlines()) - len(lines)
        if not lines[0].startswith("$ "):
            raise SnippetError(f"{session.page}:{line}: a session begins with a command (`$ ...`)")
        command = [lines.pop(0)[2:]]
        while lines and lines[0].startswith("> "):
            command.append(lines.pop(0)[2:])
        expected: list[str] = []
        while lines and not lines[0].startswith("$ "):
            expected.append(lines.pop(0).rstrip())
        code = _EXIT.fullmatch(expected[-1]) if expected else None
        found.append(
            Step(
                line=line,
                command="\n".join(command),
                expected=tuple(expected[:-1] if code else expected),
                exit_code=int(code[1]) if code else 0,
            )
        )
    return found


def fits(expected: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Whether these lines were expected; ``...`` stands for any lines, or for any text within one."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else ".*?".join(map(re.escape, line.split("..."))) + r"\n" for line in expected
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


# --- running it ---------------------------------------------------------------------------------------------------


@dataclass(kw_only=True)
class Runner:
    """Runs the blocks of one page in ``home``, a directory that is empty before the first.

    ``scratch`` is a directory outside ``home`` for what the runner itself has to remember.
    """

    home: Path
    scratch: Path
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "__page__"})

    def run(self, block: Block) -> None:
        """Run one block.

        Raises:
            SnippetError: the block does something other than the page says.
        """
        run = {"console": self._session, "python": self._python, "pycon": self._doctest}[block.language]
        run(block)

    def environment(self) -> dict[str, str]:
        """What a command sees: the tools of this environment first, and nothing of the person who runs the tests."""
        tools = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]
        places = {
            f"XDG_{kind}_HOME": str(self.home / folder)
            for kind, folder in (
                ("CACHE", ".cache"),
                ("CONFIG", ".config"),
                ("DATA", ".local/share"),
                ("STATE", ".local/state"),
            )
        }
        fixed = {"COLUMNS": "120", "LANG": "C.UTF-8", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC"}
        return {"HOME": str(self.home), "PATH": os.pathsep.join(tools), **places, **fixed}

    def _session(self, block: Block) -> None:
        for step in steps(block):
            self._command(step, block.page)

    def _command(self, step: Step, page: str) -> None:
        done = subprocess.run(
            ["sh", "-c", f"{_SHELL}{step.command}\n"],
            cwd=self.home,
            env={**self.environment(), "SNIPPET_STATE": str(self.scratch / "state")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            check=False,
        )
        printed = tuple(line.rstrip() for line in done.stdout.decode("utf-8", "backslashreplace").splitlines())
        if done.returncode != step.exit_code or not fits(step.expected, printed):
            shown = "\n".join(difflib.ndiff(step.expected, printed))
            raise SnippetError(
                f"{page}:{step.line}: $ {step.command}\n"
                f"exit {done.returncode}, where the page says {step.exit_code}\n"
                f"- the page, + what was printed\n{shown}"
            )

    def _python(self, block: Block) -> None:
        # Empty lines before it make the numbers in a traceback those of the page.
        code = compile("\n" * block.line + block.text, block.page, "exec")
        with self._inside(), contextlib.redirect_stdout(io.StringIO()):
            exec(code, self.names)

    def _doctest(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, self.names, block.page, block.page, block.line)
        report = io.StringIO()
        with self._inside():
            failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.write, clear_globs=False)
        self.names.update(test.globs)
        if failed.failed:
            raise SnippetError(report.getvalue())

    @contextlib.contextmanager
    def _inside(self) -> Iterator[None]:
        with contextlib.chdir(self.home), mock.patch.dict(os.environ, self.environment(), clear=True):
            yield
