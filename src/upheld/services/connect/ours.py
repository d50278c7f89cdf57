"""Which entries of a settings file are ours: told by what they run, so that they are known wherever they were moved."""

from __future__ import annotations

import re

_HOOK = re.compile(
    r"(?:upheld\.hooks\.start\b.*|\bupheld[\"']?)\s+[\"']?hook[\"']?\s+[\"']?--client[\"']?\s+[\"']?(?P<client>[a-z]+)[\"']?\s+"
    r"[\"']?(?P<event>[a-z-]+)[\"']?\s*$",
    re.DOTALL,
)


def words_of(entry: object) -> str:
    """Return the command and its arguments, joined; empty where the entry has no command."""
    if not isinstance(entry, dict):
        return ""
    command, arguments = entry.get("command", ""), entry.get("args", [])
    parts = [command] if isinstance(command, str) else command if isinstance(command, list) else []
    parts = [*parts, *(arguments if isinstance(arguments, list) else [])]
    return " ".join(part for part in parts if isinstance(part, str))


def hook_of(entry: object) -> tuple[str, str] | None:
    """Return the client and the event that an entry runs our hook for; None for anybody else's entry."""
    found = _HOOK.search(words_of(entry))
    return (found["client"], found["event"]) if found else None


def is_server(entry: object) -> bool:
    """Whether an entry starts our server, as ``connect`` registers it."""
    return bool(re.search(r"\bupheld mcp .*--client-name ", f"{words_of(entry)} "))
