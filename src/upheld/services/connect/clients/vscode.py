"""VS Code: it takes no text at a prompt, and reads Claude Code's hooks by default."""

from __future__ import annotations

from upheld.services.connect.registration import (
    CLAUDE_EVENTS,
    SERVER,
    Program,
    Raw,
    Registration,
    Server,
    Settings,
)


def _files(scope: str, program: Program) -> tuple[Settings, ...]:
    hooks = {
        theirs: [{"type": "command", "command": program.hook("vscode", ours), "timeout": 10}]
        for theirs, ours in CLAUDE_EVENTS.items()
    }
    first, *rest = program.server("vscode")
    server = Server(path=("servers", SERVER), entry={"type": "stdio", "command": first, "args": rest})
    servers = ".vscode/mcp.json" if scope == "project" else "mcp.json (the command `MCP: Open User Configuration`)"
    return (
        Settings(name=".github/hooks/upheld.json", form="json", parts=(Raw(value={"hooks": hooks}),)),
        Settings(name=servers, form="json", parts=(server,)),
    )


def _notes(_scope: str) -> tuple[str, ...]:
    return (
        "where `upheld connect claude` was run, leave the hooks out: VS Code reads .claude/settings.json as well",
        "VS Code takes no text at a prompt: `upheld connect agents-md` adds a block that has the model ask",
    )


REGISTRATION = Registration(name="vscode", title="VS Code", files=_files, notes=_notes, is_written=False)
