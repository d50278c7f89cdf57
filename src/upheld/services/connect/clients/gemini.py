"""Gemini CLI: hooks and server in one settings file; its timeouts are milliseconds."""

from __future__ import annotations

from upheld.services.connect.registration import SERVER, Program, Registration, Server, Settings, nested

# Before a tool it takes a refusal and drops a text for the model; the text is given with the tool's result.
_EVENTS = {
    "SessionStart": "session-start",
    "BeforeAgent": "prompt",
    "BeforeTool": "before-tool",
    "AfterTool": "after-tool",
}
_MILLISECONDS = 10_000


def _files(scope: str, program: Program) -> tuple[Settings, ...]:
    folder = "$GEMINI_HOME" if scope == "user" else ".gemini"
    first, *rest = program.server("gemini")
    entry: dict[str, object] = {"command": first, "args": rest, "timeout": 30_000}
    hooks = nested(program, "gemini", _EVENTS, timeout=_MILLISECONDS, extra={"name": SERVER})
    server = Server(path=("mcpServers", SERVER), entry=entry)
    return (Settings(name=f"{folder}/settings.json", form="json", parts=(hooks, server)),)


def _notes(scope: str) -> tuple[str, ...]:
    if scope == "user":
        return ("start a new session of Gemini CLI: a running one keeps the settings it began with",)
    return ("Gemini CLI ignores a project's settings until you trust the folder: it asks at its next start there",)


REGISTRATION = Registration(name="gemini", title="Gemini CLI", files=_files, notes=_notes)
