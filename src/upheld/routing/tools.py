"""Patterns over tool names: the exact name, or ``*`` for any run of characters (``mcp__github__*``)."""

from __future__ import annotations

from upheld.routing.globs import match_part

LONGEST_TOOL = 256


def fault(pattern: str) -> str:
    """Say what is wrong with a tool pattern, or nothing."""
    if not pattern:
        return "it is empty"
    if len(pattern) > LONGEST_TOOL:
        return f"it is longer than {LONGEST_TOOL} characters"
    if not all(char.isalnum() or char in "_-.:/*" for char in pattern):
        return "a tool name holds letters, digits and `_ - . : /`; `*` stands for any run of them"
    return ""


def is_blanket(pattern: str) -> bool:
    """Whether a pattern matches every tool."""
    return not pattern.strip("*")


def matches(pattern: str, tool: str) -> bool:
    """Whether a pattern names a tool, case and all. A malformed or blanket pattern never does."""
    if fault(pattern) or is_blanket(pattern) or len(tool) > LONGEST_TOOL:
        return False
    return match_part(pattern, tool)
