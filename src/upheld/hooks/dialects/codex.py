"""Codex. Its answers are checked against closed schemas: one unknown key, and the whole answer is dropped unsaid."""

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

DIALECT = Dialect(name="codex", injects=frozenset(_NAMES), encode=encoder(_NAMES))
