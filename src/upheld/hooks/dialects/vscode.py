"""VS Code: Claude's form, but nothing for the model goes in at a prompt; a person is told there instead."""

from __future__ import annotations

from upheld.hooks.asked import BEFORE_TOOL, PROMPT, SESSION_START, SUBAGENT_START
from upheld.hooks.dialect import Dialect
from upheld.hooks.dialects.nested import encoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Said

_nested = encoder(
    {
        SESSION_START: "SessionStart",
        PROMPT: "UserPromptSubmit",
        BEFORE_TOOL: "PreToolUse",
        SUBAGENT_START: "SubagentStart",
    }
)


def _encode(event: str, said: Said) -> dict[str, object] | None:
    if event != PROMPT or said.block:
        return _nested(event, said)
    return {"systemMessage": said.note} if said.note else None


DIALECT = Dialect(name="vscode", injects=frozenset({SESSION_START, BEFORE_TOOL, SUBAGENT_START}), encode=_encode)
