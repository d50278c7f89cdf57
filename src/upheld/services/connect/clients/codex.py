"""Codex: hooks in hooks.json, the server in config.toml. Hooks that nobody trusted are skipped, and nothing says so."""

from __future__ import annotations

from upheld.services.connect.registration import CLAUDE_EVENTS, SERVER, Program, Registration, Server, Settings, nested

_SECONDS = 10


def _files(scope: str, program: Program) -> tuple[Settings, ...]:
    folder = "$CODEX_HOME" if scope == "user" else ".codex"
    first, *rest = program.server("codex")
    entry: dict[str, object] = {"command": first, "args": rest, "startup_timeout_sec": 20}
    return (
        Settings(
            name=f"{folder}/hooks.json",
            form="json",
            parts=(nested(program, "codex", CLAUDE_EVENTS, timeout=_SECONDS),),
        ),
        Settings(name=f"{folder}/config.toml", form="toml", parts=(Server(path=("mcp_servers", SERVER), entry=entry),)),
    )


def _notes(scope: str) -> tuple[str, ...]:
    trusting = (
        "Codex skips hooks that you have not trusted, and says nothing: start `codex`, look at them with /hooks and "
        "trust them; each change of a hook asks for it again"
    )
    return (trusting,) if scope == "user" else (trusting, "it reads a project's .codex only once you trust the folder")


REGISTRATION = Registration(name="codex", title="Codex", files=_files, notes=_notes)
