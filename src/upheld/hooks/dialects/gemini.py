"""Gemini CLI: Claude's form with names of its own; before a tool it takes a refusal, and no text for the model."""

from __future__ import annotations

from upheld.hooks.asked import BEFORE_TOOL, PROMPT, SESSION_START
from upheld.hooks.dialect import Dialect
from upheld.hooks.dialects.nested import specific

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Said

_NAMES = {SESSION_START: "SessionStart", PROMPT: "BeforeAgent"}


def _encode(event: str, said: Said) -> dict[str, object] | None:
    stop = said.deny or said.block
    if stop and event in (BEFORE_TOOL, PROMPT):
        return {"decision": "deny", "reason": stop}
    text = said.context or stop
    if event in _NAMES and text:
        return specific(_NAMES[event], additionalContext=text)
    return {"systemMessage": said.note} if said.note else None


DIALECT = Dialect(name="gemini", injects=frozenset(_NAMES), encode=_encode)
