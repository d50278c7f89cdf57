"""The form that Claude Code began and several clients took over: an object inside ``hookSpecificOutput``."""

from __future__ import annotations

from upheld.hooks.asked import BEFORE_TOOL, PROMPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from upheld.hooks.asked import Said


def encoder(names: Mapping[str, str]) -> Callable[[str, Said], dict[str, object] | None]:
    """Return the encoder of a client that calls the events by these names."""

    def encode(event: str, said: Said) -> dict[str, object] | None:
        name = names.get(event)
        if name is None:
            return None
        if event == BEFORE_TOOL and (said.deny or said.block):
            return specific(name, permissionDecision="deny", permissionDecisionReason=said.deny or said.block)
        if event == PROMPT and said.block:
            return {"decision": "block", "reason": said.block}
        return specific(name, additionalContext=said.context or said.block) if said.context or said.block else None

    return encode


def specific(name: str, **fields: str) -> dict[str, object]:
    """Return the object; a field at the top level, or one too many, and the whole answer is dropped unsaid."""
    return {"hookSpecificOutput": {"hookEventName": name, **fields}}
