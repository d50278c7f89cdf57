"""Claude Code. Its native binary comes in a package of its own and needs no Node."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from acceptance.clients.client import Package, Place, Session
from acceptance.clients.platform import native
from acceptance.script import Call

VERSION = "2.1.332"


class Claude:
    """``claude -p``."""

    name = "claude"
    version = VERSION
    packages = (Package(name=f"@anthropic-ai/claude-code-{native()}", version=VERSION, folder="claude"),)

    def prepare(self, place: Place) -> None:
        """Write the settings that a person's own machine would have."""
        trusted = {
            "hasCompletedOnboarding": True,
            "projects": {str(place.project): {"hasTrustDialogAccepted": True, "allowedTools": []}},
        }
        (place.home / ".claude.json").write_text(json.dumps(trusted))

    def trust(self, place: Place) -> None:
        """Approve the project's servers, as a person does in the dialogue that the client shows."""
        folder = place.project / ".claude"
        folder.mkdir(exist_ok=True)
        local = folder / "settings.local.json"
        settings = json.loads(local.read_text()) if local.exists() else {}
        settings["enableAllProjectMcpServers"] = True
        settings["permissions"] = {
            "allow": ["Bash", "Write", "Edit", "Read", "mcp__upheld", "mcp__plugin_upheld_upheld"]
        }
        local.write_text(json.dumps(settings, indent=2))

    def argv(self, place: Place, session: Session) -> list[str]:
        """The command."""
        program = place.programs / "claude/node_modules" / self.packages[0].name / "claude"
        goes_on = ["--continue"] if session.resume else []
        goes_on += ["--plugin-dir", session.plugin] if session.plugin else []
        return [str(program), "-p", session.prompt, "--output-format", "json", "--model", "claude-sonnet-4-5", *goes_on]

    def environment(self, place: Place, session: Session) -> Mapping[str, str]:
        """Its variables, besides those of the user."""
        return {
            "ANTHROPIC_BASE_URL": session.model,
            "ANTHROPIC_API_KEY": "not-a-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }

    def shell(self, command: str) -> Call:
        """How its model runs a command."""
        return Call(tool="Bash", arguments={"command": command, "description": "what was asked for"})

    def write(self, path: Path, text: str) -> Call:
        """How its model writes a file."""
        return Call(tool="Write", arguments={"file_path": str(path), "content": text})
