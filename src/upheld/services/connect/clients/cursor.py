"""Cursor: text for the model goes in at the start of a session only, so a rule asks the model to call the tools."""

from __future__ import annotations

from upheld.services.connect.registration import SERVER, Program, Raw, Registration, Server, Settings

_EVENTS = {
    "sessionStart": "session-start",
    "beforeSubmitPrompt": "prompt",
    "preToolUse": "before-tool",
    "subagentStart": "subagent-start",
}


def _files(_scope: str, program: Program) -> tuple[Settings, ...]:
    hooks = {theirs: [{"command": program.hook("cursor", ours), "timeout": 10}] for theirs, ours in _EVENTS.items()}
    first, *rest = program.server("cursor")
    server = Server(path=("mcpServers", SERVER), entry={"command": first, "args": rest})
    return (
        Settings(name=".cursor/hooks.json", form="json", parts=(Raw(value={"version": 1, "hooks": hooks}),)),
        Settings(name=".cursor/mcp.json", form="json", parts=(server,)),
    )


def _notes(_scope: str) -> tuple[str, ...]:
    return (
        "Cursor takes no text at a prompt: `upheld connect agents-md` adds a block that has the model ask",
        "Cursor reads Claude Code's hooks too where that is switched on; nothing is injected twice",
    )


REGISTRATION = Registration(name="cursor", title="Cursor", files=_files, notes=_notes, is_written=False)
