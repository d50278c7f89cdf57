"""What the hooks say to a prompt besides a text, as the model reads it."""

from __future__ import annotations

import re

_LINE = re.compile(r"^.*\[upheld [^\]\n]*\][^\n]*|^Upheld[^\n]*", re.MULTILINE)


def line_in(text: str) -> str:
    """The first line that Upheld says about the prompt; empty where it says nothing."""
    found = _LINE.search(text)
    return found[0] if found else ""


def candidates_in(text: str) -> frozenset[str]:
    """The keys that are offered for a choice."""
    return frozenset()
