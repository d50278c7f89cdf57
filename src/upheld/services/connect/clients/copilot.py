"""Copilot CLI: camelCase events, one flat entry each; the pascal-case events drop most of what we would say."""

from __future__ import annotations

from upheld.services.connect.registration import SERVER, Program, Raw, Registration, Server, Settings

_EVENTS = {
    "sessionStart": "session-start",
    "userPromptSubmitted": "prompt",
    "preToolUse": "before-tool",
    "subagentStart": "subagent-start",
}


def _files(scope: str, program: Program) -> tuple[Settings, ...]:
    hooks = {
        theirs: [{"type": "command", "bash": program.hook("copilot", ours), "timeoutSec": 10}]
        for theirs, ours in _EVENTS.items()
    }
    first, *rest = program.server("copilot")
    entry: dict[str, object] = {"type": "local", "command": first, "args": rest, "tools": ["*"], "env": {}}
    folder = ".copilot" if scope == "user" else ".github"
    return (
        Settings(name=f"{folder}/hooks/upheld.json", form="json", parts=(Raw(value={"version": 1, "hooks": hooks}),)),
        Settings(
            name=".copilot/mcp-config.json", form="json", parts=(Server(path=("mcpServers", SERVER), entry=entry),)
        ),
    )


def _notes(scope: str) -> tuple[str, ...]:
    own = "hooks below the home folder run; those of a repository run only in a folder that you trust"
    return (own, "the cloud agent takes no text at the start of a session; the block of AGENTS.md reaches it")


REGISTRATION = Registration(name="copilot", title="Copilot CLI", files=_files, notes=_notes, is_written=False)
