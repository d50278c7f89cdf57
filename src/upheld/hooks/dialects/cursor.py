"""Cursor: text for the model goes in when a session starts and at no other event; a tool can be refused."""

from __future__ import annotations

from upheld.hooks.asked import BEFORE_TOOL, PROMPT, SESSION_START, SUBAGENT_START
from upheld.hooks.dialect import Dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Said


def _encode(event: str, said: Said) -> dict[str, object] | None:
    stop = said.deny or said.block
    if event == SESSION_START and (said.context or stop):
        return {"additional_context": said.context or stop}
    if event == PROMPT and said.block:
        return {"continue": False, "user_message": said.block}
    if event in (BEFORE_TOOL, SUBAGENT_START) and stop:
        return {"permission": "deny", "user_message": stop, "agent_message": stop}
    return None


DIALECT = Dialect(name="cursor", injects=frozenset({SESSION_START}), encode=_encode)
