"""Finds the code in a Markdown page and runs it, so that what the page shows is what happens.

The convention, for whoever writes a page:

* A fenced block marked ``console`` is a session. Lines that begin with ``$`` and a space are commands for a POSIX shell (``>`` and a
  space continues one); the lines up to the next command are everything it prints, standard error included. All blocks
  of one page run in order in one fresh directory that is also ``HOME`` and holds the XDG directories.
* A line ``...`` stands for any number of lines, and ``...`` inside a line for any text in that line. A command with nothing
  under it must print nothing.
* A command must exit 0, or be followed by a last line ``[exit 4]`` that says with what.
* A block marked ``python`` is executed; what it prints is not compared, so it asserts what it claims. The blocks of
  one page share their names and run in the same directory, in order with the sessions.
* ``<!-- not run: REASON -->`` on the line before a block exempts that block. An empty reason is an error.
* Blocks of other languages are text.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

RUN = ("console", "python")
_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,})\s*(?P<language>[\w+-]*)")
_EXEMPT = re.compile(r"^\s*<!--\s*not run:(?P<reason>.*?)-->\s*$")
_EXIT = re.compile(r"^\[exit (\d+)\]$")


class SnippetError(AssertionError):
    """A page shows something that does not happen, or is itself malformed."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """One fenced block: ``line`` is the line of its opening fence, counted from 1; ``reason`` says why it is not run."""

    page: str
    line: int
    language: str
    text: str
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Step:
    """One command of a session, what it must print, and the code it must exit with."""

    command: str
    expected: str
    exit_code: int


def blocks(markdown: str, page: str) -> list[Block]:
    """Every fenced block of a page, in order.

    Raises:
        SnippetError: a fence is never closed, or an exemption gives no reason or stands before no block.
    """
    found: list[Block] = []
    lines = iter(enumerate(markdown.splitlines(), 1))
    reason: str | None = None
    for number, line in lines:
        exempt, fence = _EXEMPT.match(line), _FENCE.match(line)
        if exempt:
            reason = exempt["reason"].strip()
            if not reason:
                raise SnippetError(f"{page}:{number}: `not run` needs a reason")
        elif fence:
            body = _body(lines, fence, f"{page}:{number}")
            found.append(Block(page=page, line=number, language=fence["language"], text=body, reason=reason))
            reason = None
        elif reason is not None:
            raise SnippetError(f"{page}:{number}: `not run` stands on the line before a block")
    return found


def _body(lines: object, fence: re.Match[str], place: str) -> str:
    """The lines up to the closing fence, without the fence's own indentation."""
    assert hasattr(lines, "__next__")
    body: list[str] = []
    for _, line in iter(lambda: next(lines, (0, None)), (0, None)):  # type: ignore[call-overload]
        if line.strip().startswith(fence["ticks"]) and not line.strip().strip(fence["ticks"][0]):
            return "".join(f"{text}\n" for text in body)
        body.append(line.removeprefix(fence["indent"]))
    raise SnippetError(f"{place}: the block is never closed")
