"""A user with a home of their own, a key, and a sealed store: for tests that run the commands."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import upheld
from upheld.cli.main import main
from upheld.compose import sealing
from upheld.compose.gate import gate_for
from upheld.model.change import Committed
from upheld.services.commit import commit
from upheld.services.remember import plan_remember
from upheld.services.versions import Draft
from upheld.stores.directory_writer import open_writable
from upheld.stores.keyring_file import make_key_file

KEY = "deploys"
TEXT = "# Deploys\n\nDeploy on Tuesdays.\n"


class Home:
    """One user on one machine. ``run`` and ``said`` run a command in this process, as this user."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.store = folder / "project" / ".upheld"
        self._patch = patch
        self._capture = capture
        self.move_to("home")
        patch.delenv("SSH_AUTH_SOCK", raising=False)
        patch.delenv("UPHELD_KEY", raising=False)
        patch.setenv("UPHELD_STORE", str(self.store))
        patch.setenv("UPHELD_OWNER", "ada")

    def move_to(self, name: str) -> None:
        """Be another user, or on another machine: another home."""
        self._patch.setenv("HOME", str(self.folder / name))
        self._patch.setenv("XDG_STATE_HOME", str(self.folder / name / "state"))
        self._patch.setenv("XDG_CONFIG_HOME", str(self.folder / name / "config"))

    @property
    def state(self) -> Path:
        return self.folder / "home" / "state" / "upheld"

    def seal(self, *automation: str) -> None:
        """Make the sealed store, with one key in it."""
        found = sealing.make_own_key(None)
        sealing.init_sealed(str(self.store), found, by="ada", automation=automation)
        self.remember(KEY, TEXT)

    def remember(self, key: str, text: str) -> Committed:
        """Remember one key, as the command does."""
        path = str(self.store)
        draft = Draft(
            key=key,
            text=text.encode(),
            because="It has to be known.",
            owner="ada",
            review_on=days_ahead(60),
            expires_on=days_ahead(200),
        )
        with open_writable(path) as store:
            gate = gate_for(store, path)
            sealer = sealing.sealer_for(gate, sealing.key_sources(None, lambda _: None))
            plan = plan_remember(draft, read_when="Before deploying", trigger=None, nonce="aaaa")
            return commit(sealing.writer_to(store, gate, sealer, "ada"), plan)

    def key_file(self, name: str) -> Path:
        """Make a private key without a passphrase, and its public half beside it."""
        path = self.folder / name
        identity = make_key_file(str(path), ask_passphrase=None)
        path.with_suffix(".pub").write_text(f"{identity.key.line}\n")
        return path

    def answer(self, words: str) -> None:
        """Sit at the terminal and type this at every question."""
        self._patch.setattr("upheld.cli.consent.person", lambda: io.StringIO(f"{words}\n"))
        self._patch.setattr("upheld.cli.asking.person", lambda: io.StringIO(f"{words}\n"))

    def run(self, *arguments: object) -> int:
        """Run a command and return its exit code."""
        return main([str(argument) for argument in arguments])

    def said(self, *arguments: object) -> dict[str, Any]:
        """Run a command with ``--format json`` and return what it printed."""
        self._capture.readouterr()
        self.run(*arguments, "--format", "json")
        return dict(json.loads(self._capture.readouterr().out))

    def complaint(self) -> str:
        """What the last command wrote on standard error."""
        return self._capture.readouterr().err

    def recalled(self) -> str:
        """The outcome of a recall, or the code of its refusal."""
        outcome = upheld.open(self.store).recall(KEY)
        return outcome.outcome if outcome.outcome != "refused" else getattr(outcome, "code", "")


def days_ahead(days: int) -> str:
    """A day after today."""
    from upheld.compose.clock import today
    from upheld.wire.day import days_after

    return days_after(today(), days)
