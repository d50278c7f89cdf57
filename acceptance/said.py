"""What the hooks say to a prompt besides a text, as the model reads it."""

from __future__ import annotations

import re

_LINE = re.compile(r"\[upheld\] (?:checked|REFUSED|Memory could not be checked)[^\n]*")
_CHOICE = re.compile(r"\[upheld\] checked: one of these may govern[^\n]*\n(?P<entries>(?:\[upheld\]   [^\n]*\n?)+)")
_ENTRY = re.compile(r"\[upheld\]   (?P<key>[^\s:]+): ")


def line_in(text: str) -> str:
    """The first line that Upheld says about the prompt; empty where it says nothing."""
    found = _LINE.search(text)
    return found[0] if found else ""


def candidates_in(text: str) -> frozenset[str]:
    """The keys that are offered for a choice; the index of a session's start is none."""
    return frozenset(key for found in _CHOICE.finditer(text) for key in _ENTRY.findall(found["entries"]))
