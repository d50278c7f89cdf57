"""Machines of people who share one store, with a clock that can be set and a power cord that can be pulled."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import upheld
from team_world import bare, git
from upheld.cli.main import main
from upheld.compose import clock
from upheld.errors import RefusedError
from upheld.model.answer import Answer, Refusal
from upheld.stores.disk import Disk
from upheld.stores.git_plumbing import Git

START = 1_796_000_000 - 1_796_000_000 % 86_400 - 180
"""Three minutes before a midnight, UTC: the clocks of two machines may well show two days."""
SKEWS = (0, -420, 240, 60)
VERBS = "remember,correct,review,retire,restore,rename,redact,triggers,approve,resolve,sync,trust"
ATTACKS = ("RBK001", "RBK002", "RBK003", "RBK007", "RBK010", "RBK011", "RBK012", "SIG", "LOG", "HSH")
"""What honest life must never be called. ``SIG030`` alone is no refusal: it is mentioned of a key without passphrase."""


class DiedError(BaseException):
    """The process is gone. Nothing that it still does reaches a disk."""


class AlarmError(AssertionError):
    """An attack was named, and there was none."""


def judged(codes: list[str]) -> list[str]:
    """Return the codes of a refusal, none of which may be an attack's."""
    if any(code.startswith(ATTACKS) for code in codes):
        raise AlarmError(f"honest life was called {codes}")
    return codes


class Said:
    """What a command came to: its exit code, and all that it printed."""

    def __init__(self, code: int, text: str) -> None:
        self.code, self.text = code, text

    def __repr__(self) -> str:
        return f"exit {self.code}: {self.text}"


class Machine:
    """One machine of one person: a home, and work trees of a repository whose origin is shared."""

    def __init__(self, world: World, name: str, skew: int) -> None:
        self.world, self.skew = world, skew
        self.home = world.folder / name
        self.tree = self.home / "work"
        self.tree.mkdir(parents=True)
        git("init", "--quiet", "--initial-branch=main", folder=self.tree)
        git("remote", "add", "origin", str(world.remote), folder=self.tree)
        (self.tree / "code").write_text("1")
        git("add", "code", folder=self.tree)
        git("commit", "--quiet", "--message=one", folder=self.tree)
        self.trees = [self.tree]

    @property
    def key(self) -> Path:
        return self.home / "config" / "upheld" / "key"

    @contextlib.contextmanager
    def here(self, tree: Path | None = None) -> Iterator[None]:
        """Be this person, at this machine's clock, in one of its work trees."""
        environment = {
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "UPHELD_OWNER": self.home.name,
        }
        now = self.world.now + self.skew
        fake = SimpleNamespace(gmtime=lambda: time.gmtime(now), strftime=time.strftime)
        before = os.getcwd()
        with patch.dict(os.environ, environment), patch.object(clock, "time", fake):
            for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE"):
                os.environ.pop(name, None)
            os.chdir(tree or self.tree)
            try:
                yield
            finally:
                os.chdir(before)

    def run(self, *arguments: object, tree: Path | None = None) -> Said:
        """Run a command in this process; an attack named in what it prints is an alarm."""
        out = io.StringIO()
        with self.here(tree), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main([str(argument) for argument in arguments])
        text = out.getvalue()
        judged([found for found in _codes(text) if found != "SIG030"])
        return Said(code, text)

    def must(self, *arguments: object, tree: Path | None = None) -> str:
        """Run a command that has to work."""
        said = self.run(*arguments, tree=tree)
        assert said.code == 0, (arguments, said)
        return said.text

    def act(self, verb: Callable[[upheld.Memory], object], tree: Path | None = None) -> None:
        """Do something through the library."""
        with self.here(tree):
            try:
                verb(upheld.open())
            except RefusedError as error:
                judged([finding.code for finding in getattr(error.refusal, "findings", ())])
                raise

    def recall(self, key: str, tree: Path | None = None) -> Answer | Refusal:
        """Ask as an agent does."""
        with self.here(tree):
            outcome = upheld.open().recall(key)
        if isinstance(outcome, Refusal):
            judged([finding.code for finding in outcome.findings])
            assert all(finding.help for finding in outcome.findings)
        else:
            assert outcome.outcome == "verified"
        return outcome

    @property
    def root_digest(self) -> str:
        """What a holder of the store tells people to compare."""
        return str(json.loads(self.run("trust", "show", "--format", "json").text)["root_sha256"])

    def store(self, tree: Path | None = None) -> Path:
        return (tree or self.tree) / ".upheld"


class World:
    """A bare remote, people, and the time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.remote = bare(folder / "remote.git")
        self.now = START
        self.machines: list[Machine] = []

    def machine(self, name: str) -> Machine:
        made = Machine(self, name, SKEWS[len(self.machines) % len(SKEWS)])
        self.machines.append(made)
        return made


def _codes(text: str) -> list[str]:
    import re

    return re.findall(r"\b(?:RBK|SIG|LOG|HSH)\d{3}\b", re.sub(r"= help: .*|note: .*", "", text))


_STEPS: tuple[tuple[type, str], ...] = (
    *((Disk, name) for name in ("make_folder", "write_new", "sync_and_close", "publish", "replace", "remove")),
    *((Disk, name) for name in ("sync_folder", "sync_file")),
    *((Git, name) for name in ("run", "attempt", "over_network")),
)


@contextlib.contextmanager
def dying_at(step: int) -> Iterator[None]:
    """Let the process die at its ``step``-th step that reaches a disk or git; nothing reaches them afterwards."""
    left = [step]

    def wrapped(original: Callable[..., object]) -> Callable[..., object]:
        def act(*arguments: object, **named: object) -> object:
            left[0] -= 1
            if left[0] <= 0:
                raise DiedError
            return original(*arguments, **named)

        return act

    from upheld.stores import state_writer

    with contextlib.ExitStack() as stack:
        for kind, name in _STEPS:
            stack.enter_context(patch.object(kind, name, wrapped(getattr(kind, name))))
        stack.enter_context(patch.object(state_writer, "write_private", wrapped(state_writer.write_private)))
        with contextlib.suppress(DiedError):
            yield


def copied(source: Path, target: Path) -> None:
    """Copy a folder as a backup does."""
    shutil.copytree(source, target, symlinks=True)


def removed(folder: Path) -> None:
    """Remove a folder, files of mode 0444 included."""
    shutil.rmtree(folder)
