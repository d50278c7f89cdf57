"""Claude Code: hooks in its settings, the server where each scope keeps servers.

``alwaysLoad`` makes it wait for the server: without it, a server that is still starting is not in the first request,
and the model cannot call it (anthropics/claude-code#76239).
"""

from __future__ import annotations

from upheld.services.connect.registration import CLAUDE_EVENTS, SERVER, Program, Registration, Server, Settings, nested

_SECONDS = 10


def _files(scope: str, program: Program) -> tuple[Settings, ...]:
    hooks = nested(program, "claude", CLAUDE_EVENTS, timeout=_SECONDS)
    first, *rest = program.server("claude")
    entry: dict[str, object] = {"type": "stdio", "alwaysLoad": True, "command": first, "args": rest}
    server = Server(path=("mcpServers", SERVER), entry=entry)
    is_user = scope == "user"
    return (
        Settings(
            name="$CLAUDE_CONFIG_DIR/settings.json" if is_user else ".claude/settings.json", form="json", parts=(hooks,)
        ),
        Settings(name="$CLAUDE_JSON" if is_user else ".mcp.json", form="json", parts=(server,)),
    )


def _notes(scope: str) -> tuple[str, ...]:
    if scope == "user":
        return ("start a new session of Claude Code: a running one keeps the settings it began with",)
    return (
        "Claude Code asks about the server `upheld` of .mcp.json at its next start: approve it there (or with /mcp); "
        "that is yours to do and is not done here",
        "it runs a project's hooks once you trust the folder",
    )


REGISTRATION = Registration(name="claude", title="Claude Code", files=_files, notes=_notes)
