"""Colours for a person at a terminal. Loaded only when there is one."""

from __future__ import annotations

from typing import TextIO

from upheld.compose.terminal import is_colourful

_RESET = "\x1b[0m"
# Lines are told apart by how we begin them. Texts of a store are escaped and follow our words, so none can begin one;
# an answer, whose lines are the source's own, is never painted.
_BEGINNINGS = (
    ("error[", "\x1b[1;31m"),
    ("warning[", "\x1b[1;33m"),
    ("note[", "\x1b[1;36m"),
    ("  --> ", "\x1b[34m"),
    ("   = help: ", "\x1b[36m"),
    ("refused: ", "\x1b[1;31m"),
    ("verdict: failed", "\x1b[1;31m"),
    ("verdict: unverified", "\x1b[1;33m"),
    ("verdict: verified", "\x1b[1;32m"),
    ("hypothetical: ", "\x1b[1;33m"),
    ("  PASS ", "\x1b[32m"),
    ("  FAIL ", "\x1b[1;31m"),
)


def painted(text: str, stream: TextIO) -> str:
    """Colour the lines that we began, if a person wants it."""
    return "\n".join(map(_line, text.split("\n"))) if is_colourful(stream) else text


def _line(line: str) -> str:
    for beginning, colour in _BEGINNINGS:
        if line.startswith(beginning):
            return f"{colour}{line}{_RESET}"
    return line
