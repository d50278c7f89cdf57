"""Gemini CLI, on the Node that was installed with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from acceptance.clients.client import Package, Place, Session
from acceptance.clients.platform import native
from acceptance.script import Call

VERSION = "0.61.0"
NODE = Package(name=f"node-{native()}", version="22.23.5", folder="node")


class Gemini:
    """``gemini -p``."""

    name = "gemini"
    version = VERSION
    packages = (NODE, Package(name="@google/gemini-cli", version=VERSION, folder="gemini"))

    def prepare(self, place: Place) -> None:
        """Write the settings that a person's own machine would have."""
        folder = place.home / ".gemini"
        folder.mkdir(exist_ok=True)
        (folder / "trustedFolders.json").write_text(json.dumps({str(place.project): "TRUST_FOLDER"}))
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": True}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
        }
        (folder / "settings.json").write_text(json.dumps(settings, indent=2))

    def trust(self, place: Place) -> None:
        """Nothing more: trust in the folder is all that this client asks for."""

    def argv(self, place: Place, session: Session) -> list[str]:
        """The command."""
        node = place.programs / "node/node_modules" / NODE.name / "bin/node"
        bundle = place.programs / "gemini/node_modules/@google/gemini-cli/bundle/gemini.js"
        goes_on = ["--resume", "latest"] if session.resume else []
        return [
            str(node),
            str(bundle),
            "-m",
            "gemini-2.5-flash",
            "-o",
            "json",
            "--yolo",
            *goes_on,
            "-p",
            session.prompt,
        ]

    def environment(self, place: Place, session: Session) -> Mapping[str, str]:
        """Its variables, besides those of the user."""
        return {
            "GEMINI_API_KEY": "not-a-key",
            "GOOGLE_GEMINI_BASE_URL": session.model,
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "GEMINI_TELEMETRY_ENABLED": "false",
        }

    def shell(self, command: str) -> Call:
        """How its model runs a command."""
        return Call(tool="run_shell_command", arguments={"command": command, "description": "what was asked for"})

    def write(self, path: Path, text: str) -> Call:
        """How its model writes a file."""
        return Call(tool="write_file", arguments={"file_path": str(path), "content": text})
