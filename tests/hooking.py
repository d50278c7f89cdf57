"""Hand an event to a hook in this process, as a client would, and read what it answers."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from keeping import kept_store
from upheld.compose.library import Memory
from upheld.hooks.main import main
from upheld.model.trigger_edit import TriggerEdit

DEPLOYS, NOTES = "Deploy on Tuesdays.", "Write release notes in the past tense."


class Session:
    """A person with a home of their own, a project with a sealed store, and a client that runs hooks there."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        for name, value in (("HOME", "home"), ("XDG_STATE_HOME", "home/state"), ("XDG_CONFIG_HOME", "home/config")):
            patch.setenv(name, str(folder / value))
        for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"):
            patch.delenv(name, raising=False)
        patch.setenv("UPHELD_OWNER", "ada")
        (folder / "home").mkdir()
        self.folder = folder
        self.project = folder / "project"
        self.project.mkdir()
        self.state = folder / "home" / "state" / "upheld"
        self.client = "claude"
        self.session = "session-1"
        self._capture = capture

    def keep(self) -> Memory:
        """Make the store, with two keys in it."""
        memory = kept_store(self.project)
        memory.remember("deploys", DEPLOYS, when="Before deploying to production.", because="agreed")
        memory.remember("notes", NOTES, when="Before writing release notes.", because="agreed")
        memory.triggers.add("deploys", TriggerEdit(commands=("kubectl apply",), tools=("Deploy",)))
        memory.triggers.add("notes", TriggerEdit(paths=("CHANGELOG.md",)))
        return memory

    def ask(self, event: str, **payload: object) -> dict[str, Any]:
        """Run the hook with a payload; return what it printed, as the client parses it; empty for nothing."""
        common = {"session_id": self.session, "cwd": str(self.project)}
        return self.raw(event, json.dumps({**common, **payload}).encode())

    def raw(self, event: str, data: bytes) -> dict[str, Any]:
        """The same with bytes of the test's own."""
        self._capture.readouterr()
        with standard_input(data):
            assert main(["--client", self.client, event]) == 0
        said = self._capture.readouterr()
        assert said.err == ""
        return dict(json.loads(said.out)) if said.out else {}

    def context(self, event: str, **payload: object) -> str:
        """The text for the model; empty for none."""
        said = self.ask(event, **payload)
        return str(said.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def prompt(self, text: str, **payload: object) -> str:
        return self.context("prompt", prompt=text, **payload)

    def log(self) -> list[dict[str, Any]]:
        file = self.state / "hooks" / "log.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    """Descriptor 0 holds these bytes."""
    kept = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(kept, 0)
            os.close(kept)
