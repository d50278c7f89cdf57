"""One user with one project and a sealed, pinned store, connected to one client, as the commands make them."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from acceptance.clients.client import Client, Place, Session
from acceptance.day import Instruction
from acceptance.model import ModelServer, Request
from acceptance.process import Ran, run
from acceptance.script import Script, Step
from upheld.model.value import Value

SECONDS = 60.0
_FILES = {
    "README.md": "# Ledger\n\n| column | what |\n|---|---|\n| total | the sum |\n",
    "site/index.html": "<h1>Ledger</h1>\n<p>All your invoices, in one place, at any time, wherever you are.</p>\n",
    "src/api/orders.py": "def order(legacy: bool = False) -> dict:\n    return {'total': 1}\n",
    "src/report/render.py": "tmp = 1\n",
    "pyproject.toml": "[project]\nname = 'ledger'\nversion = '1'\ndependencies = ['httpx<1']\n",
    "Makefile": "deploy:\n\t@echo nothing to deploy here\n",
    "bin/refund": "#!/bin/sh\necho nothing to pay back here\n",
}


class Run(Value):
    """One headless run of a client.

    Attributes:
        process: what the client did.
        requests: every request that its model was sent, in order.
    """

    process: Ran
    requests: tuple[Request, ...]

    @property
    def turns(self) -> tuple[Request, ...]:
        """The agent's own requests, without the client's side requests."""
        return tuple(request for request in self.requests if request.main)


class World:
    """A user's home and project in a folder of their own.

    Args:
        client: the client that is connected.
        folder: an empty folder to make it in.
        programs: where the clients are installed.

    Attributes:
        outside: the hosts that the client tried to reach besides its model, each refused.
    """

    def __init__(self, client: Client, folder: Path, programs: Path) -> None:
        self.client = client
        self.place = Place(home=folder / "home", project=folder / "project", programs=programs)
        self.outside: set[str] = set()
        self.place.home.mkdir(parents=True)
        self.place.project.mkdir()

    @property
    def store(self) -> Path:
        """The store's folder."""
        return self.place.project / ".upheld"

    @property
    def state(self) -> Path:
        """What this user's machine remembers outside the store."""
        return self.place.home / ".local/state/upheld"

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The user's variables: nothing of the caller's own but the path and the language."""
        return {
            "HOME": str(self.place.home),
            "PATH": os.pathsep.join([str(self.place.home / ".local/bin"), os.environ.get("PATH", "/usr/bin:/bin")]),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "UPHELD_OWNER": "ada",
            "GIT_CONFIG_NOSYSTEM": "1",
            **(extra or {}),
        }

    def upheld(self, *arguments: str, check: bool = True) -> Ran:
        """Run ``upheld`` as this user, in the project.

        Raises:
            RuntimeError: it failed, and ``check`` was not taken back.
        """
        argv = [str(Path(sys.executable).parent / "upheld"), *arguments]
        done = run(argv, cwd=self.place.project, env=self.environment(), seconds=SECONDS)
        if check and done.code != 0:
            raise RuntimeError(f"upheld {' '.join(arguments)}: exit {done.code}: {done.err or done.out}")
        return done

    def said(self, *arguments: str) -> dict[str, Any]:
        """What a command says with ``--format json``."""
        return dict(json.loads(self.upheld(*arguments, "--format", "json", check=False).out))

    def build(self, kept: Iterable[Instruction]) -> None:
        """Make the project, the sealed store and the connection."""
        self._home()
        self._project()
        verbs = "remember,correct,review,retire,triggers"
        self.upheld("init", "--no-passphrase", "--accept", "SIG030", "--automation", verbs, "--yes")
        for one in kept:
            self.upheld("remember", one.key, one.text, *one.options, "--yes")
        self.client.prepare(self.place)
        self.connect()

    def connect(self) -> None:
        """Connect the client for this user, and give the trust that is the person's to give."""
        self.upheld("connect", self.client.name, "--yes")
        self.client.trust(self.place)

    def connect_twice(self) -> None:
        """Connect once more, in the project, so that the client reads two registrations of the same hooks."""
        self.upheld("connect", self.client.name, "--scope", "project", "--yes")
        self.client.trust(self.place)

    def _home(self) -> None:
        """Install the command as a person does, where a login shell finds it: some clients run commands in one."""
        home = self.place.home
        (home / ".local/bin").mkdir(parents=True)
        (home / ".local/bin/upheld").symlink_to(Path(sys.executable).parent / "upheld")
        (home / ".profile").write_text('PATH="$HOME/.local/bin:$PATH"\n')
        (home / ".gitconfig").write_text("[user]\n\tname = ada\n\temail = ada@example.com\n")

    def _project(self) -> None:
        project = self.place.project
        for name, text in _FILES.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (project / "bin/refund").chmod(0o755)
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Start"]):
            run(["git", *words], cwd=project, env=self.environment(), seconds=SECONDS)

    def ask(self, prompt: str, *steps: Step, resume: bool = False, tag: str = "a", plugin: str = "") -> Run:
        """Run the client once, headless, with this prompt, against a model that plays these steps."""
        with ModelServer(Script(steps=steps, tag=tag)) as model:
            session = Session(prompt=prompt, model=model.url, resume=resume, plugin=plugin)
            proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), model.url)
            own = {"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}
            extra = {**proxies, **own, **self.client.environment(self.place, session)}
            argv = self.client.argv(self.place, session)
            done = run(argv, cwd=self.place.project, env=self.environment(extra), seconds=SECONDS, settle=1.0)
            self.outside.update(model.outside)
            return Run(process=done, requests=model.requests)

    def client_says(self, *arguments: str) -> Ran:
        """Run the client's own program, without a session and without a model."""
        program = self.client.argv(self.place, Session(prompt="", model=""))[0]
        return run([program, *arguments], cwd=self.place.project, env=self.environment(), seconds=SECONDS)

    def copy_store(self, to: Path) -> None:
        """Keep a copy of the whole store, as a backup would."""
        shutil.copytree(self.store, to, symlinks=True)

    def put_back(self, kept: Path) -> None:
        """Put a copy in the store's place, every file of it."""
        shutil.rmtree(self.store)
        shutil.copytree(kept, self.store, symlinks=True)
