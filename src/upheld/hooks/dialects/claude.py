"""Claude Code. Cursor and VS Code read its hook files too, so their spellings of a payload are taken as well."""

from __future__ import annotations

from upheld.hooks.asked import BEFORE_TOOL, PROMPT, SESSION_START, SUBAGENT_START
from upheld.hooks.dialect import Dialect
from upheld.hooks.dialects.nested import encoder

_NAMES = {
    SESSION_START: "SessionStart",
    PROMPT: "UserPromptSubmit",
    BEFORE_TOOL: "PreToolUse",
    SUBAGENT_START: "SubagentStart",
}

DIALECT = Dialect(name="claude", injects=frozenset(_NAMES), encode=encoder(_NAMES))
