"""Codex. The native program is started directly; its hooks run only once a person has trusted them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from acceptance.clients.client import Package, Place, Session
from acceptance.clients.codex_trust import trust_all
from acceptance.clients.platform import native
from acceptance.script import Call

VERSION = "0.171.0"
_NOWHERE = "http://127.0.0.1:9"
_TRIPLES = {
    "linux-x64": "x86_64-unknown-linux-musl",
    "linux-arm64": "aarch64-unknown-linux-musl",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
}


class Codex:
    """``codex exec``."""

    name = "codex"
    version = VERSION
    packages = (Package(name="@openai/codex", version=VERSION, folder="codex"),)

    def prepare(self, place: Place) -> None:
        """Write the settings that a person's own machine would have."""
        folder = place.home / ".codex"
        folder.mkdir(exist_ok=True)
        settings = f"""\
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects.{json.dumps(str(place.project))}]
trust_level = "trusted"
"""
        (folder / "config.toml").write_text(settings)

    def trust(self, place: Place) -> None:
        """Trust the hooks that the client found, as a person does when it asks."""
        env = {"HOME": str(place.home), "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HTTPS_PROXY": _NOWHERE}
        trust_all(_program(place), place.project, env)

    def argv(self, place: Place, session: Session) -> list[str]:
        """The command."""
        base = f'model_providers.scripted.base_url="{session.model}/v1"'
        goes_on = ["resume", "--last"] if session.resume else []
        return [str(_program(place)), "-c", base, "exec", *goes_on, "--json", "--skip-git-repo-check", session.prompt]

    def environment(self, place: Place, session: Session) -> Mapping[str, str]:
        """Its variables, besides those of the user."""
        return {"SCRIPTED_KEY": "not-a-key"}

    def shell(self, command: str) -> Call:
        """How its model runs a command."""
        return Call(tool="exec_command", arguments={"cmd": command})

    def write(self, path: Path, text: str) -> Call:
        """How its model writes a file."""
        added = "".join(f"+{line}\n" for line in text.splitlines())
        return Call(tool="apply_patch", arguments=f"*** Begin Patch\n*** Add File: {path}\n{added}*** End Patch\n")


def _program(place: Place) -> Path:
    inner = place.programs / "codex/node_modules/@openai" / f"codex-{native()}"
    return inner / "vendor" / _TRIPLES[native()] / "bin/codex"
