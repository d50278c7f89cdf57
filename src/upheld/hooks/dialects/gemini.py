"""Gemini CLI: Claude's form with names of its own.

Before a tool it takes a refusal, and drops any text for the model (0.61.0); after the tool it takes a text.
"""

from __future__ import annotations

from upheld.hooks.asked import AFTER_TOOL, BEFORE_TOOL, PROMPT, SESSION_START
from upheld.hooks.dialect import Dialect
from upheld.hooks.dialects.nested import specific

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Said

_NAMES = {SESSION_START: "SessionStart", PROMPT: "BeforeAgent", AFTER_TOOL: "AfterTool"}


def _encode(event: str, said: Said) -> dict[str, object] | None:
    stop = said.deny or said.block
    if stop and event in (BEFORE_TOOL, PROMPT):
        return {"decision": "deny", "reason": stop}
    text = said.context or stop
    if event in _NAMES and text:
        return specific(_NAMES[event], additionalContext=text)
    # What a tool is governed by is said with its result, so there is no need to tell the person here.
    return {"systemMessage": said.note} if said.note and event != BEFORE_TOOL else None


DIALECT = Dialect(name="gemini", injects=frozenset(_NAMES), encode=_encode)
