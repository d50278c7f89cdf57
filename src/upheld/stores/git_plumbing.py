"""git, by plumbing only, in a bare repository that no work tree can configure (DESIGN section 3).

Two environments, because two things are asked of git:

* **Local** calls (reading and writing objects and refs of our own repository) get an environment made from nothing. No
  variable of the caller, no system or user configuration, no hook, attribute, template, replaced object or graft
  reaches them. The repository lies in the user's state folder, and its directory is named outright, so git never looks
  for one.
* **Network** calls (`fetch`, `push`, `ls-remote` to the remote that a person named) need the person's own ssh and
  credential configuration, so they get the caller's environment and the system's and the user's git configuration.
  Every ``GIT_*`` variable is taken out of it first, and so is every relative step of ``PATH``.

In both, whatever git could be made to execute, or to change bytes by, is set on the command line, which outranks every
file; only protocols that prove who the other end is, and files, are allowed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping

from upheld.errors import StorageError
from upheld.stores.git_process import Call, Outcome, run

PROTOCOLS = ("file", "https", "ssh")
OUTPUT_LIMIT = 256 * 1024 * 1024
LOCAL_SECONDS = 60.0
NETWORK_SECONDS = 120.0
_SETTINGS = (
    "core.hooksPath=" + os.devnull,
    "core.attributesFile=" + os.devnull,
    "core.excludesFile=" + os.devnull,
    "core.fsmonitor=false",
    "core.alternateRefsCommand=",
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.eol=lf",
    "core.quotePath=false",
    "core.fsync=committed",
    "core.commitGraph=false",
    "core.multiPackIndex=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "fetch.recurseSubmodules=false",
    "fetch.fsckObjects=true",
    "fetch.writeCommitGraph=false",
    "fetch.prune=false",
    "transfer.bundleURI=false",
    "push.recurseSubmodules=no",
    "push.gpgSign=false",
    "push.followTags=false",
    "submodule.recurse=false",
    "uploadpack.packObjectsHook=",
    "protocol.allow=never",
    *(f"protocol.{name}.allow=always" for name in PROTOCOLS),
)
_CONFIGURED = tuple(word for setting in _SETTINGS for word in ("-c", setting))
# What a system needs to start any program at all.
_SYSTEM = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP")


class Git:
    """One bare repository of ours.

    Args:
        repository: its folder, below the user's state folder; made when it is first needed.
        program: git itself, as an absolute path (``find_git``).
        environ: the caller's environment, for network calls.
    """

    def __init__(self, repository: str, program: str, environ: Mapping[str, str]) -> None:
        self.repository = os.path.abspath(repository)
        self.program = program
        self._environ = environ

    @property
    def exists(self) -> bool:
        """Whether the repository has been made."""
        return os.path.isfile(os.path.join(self.repository, "HEAD"))

    def ensure(self) -> None:
        """Make the repository if it is not there: empty, from no template.

        Raises:
            StorageError: it cannot be made.
        """
        if self.exists:
            return
        try:
            os.makedirs(self.repository, mode=0o700, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot make {self.repository}: {os.strerror(error.errno or 0)}") from None
        self.run("init", "--bare", "--quiet", "--template=", "--initial-branch=upheld", self.repository)

    def run(self, *arguments: str, data: bytes = b"", seconds: float = LOCAL_SECONDS) -> bytes:
        """Run a local command and return its output.

        Raises:
            StorageError: it failed.
        """
        return succeeded(self.attempt(*arguments, data=data, seconds=seconds), arguments)

    def attempt(
        self,
        *arguments: str,
        data: bytes = b"",
        seconds: float = LOCAL_SECONDS,
        also: Mapping[str, str] | None = None,
    ) -> Outcome:
        """Run a local command and return how it ended.

        Args:
            arguments: the command.
            data: its standard input.
            seconds: how long it may take.
            also: further variables of its environment (another index or work tree to look at).

        Raises:
            StorageError: it could not be run to its end.
        """
        call = self.call(*arguments, data=data, seconds=seconds)
        folder = (also or {}).get("GIT_WORK_TREE", call.folder)
        return run(call.replace(environment={**call.environment, **(also or {})}, folder=folder))

    def call(self, *arguments: str, data: bytes = b"", seconds: float = LOCAL_SECONDS) -> Call:
        """Describe a local call."""
        return Call(
            arguments=(self.program, *_CONFIGURED, *arguments),
            environment=self.local_environment(),
            folder=self.repository,
            data=data,
            limit=OUTPUT_LIMIT,
            seconds=seconds,
        )

    def over_network(self, *arguments: str, may_ask: bool = False) -> Outcome:
        """Run a command that talks to the remote.

        Args:
            arguments: the command; a remote's URL among them was judged by ``git_remote``.
            may_ask: ssh may ask the person at the terminal. git itself never asks; credential helpers may answer.

        Raises:
            StorageError: it could not be run to its end.
        """
        return run(
            Call(
                arguments=(self.program, *_CONFIGURED, *arguments),
                environment=self.network_environment(may_ask=may_ask),
                folder=self.repository,
                limit=OUTPUT_LIMIT,
                seconds=NETWORK_SECONDS,
                keeps_terminal=may_ask,
            )
        )

    def local_environment(self) -> dict[str, str]:
        """Return the environment of local calls: made from nothing."""
        return {
            **{name: self._environ[name] for name in _SYSTEM if name in self._environ},
            **self._fixed(),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "HOME": self.repository,
            "PATH": os.defpath,
        }

    def network_environment(self, *, may_ask: bool) -> dict[str, str]:
        """Return the environment of network calls: the caller's, without what could redirect git itself."""
        kept = {name: value for name, value in self._environ.items() if not name.upper().startswith("GIT_")}
        kept["PATH"] = absolute_path(kept.get("PATH", os.defpath))
        if not may_ask:
            for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_ASKPASS"):
                kept.pop(name, None)
            kept |= {"SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never"}
        return {**kept, **self._fixed(), "GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS)}

    def _fixed(self) -> dict[str, str]:
        return {
            "GIT_DIR": self.repository,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_ASKPASS": "",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_GRAFT_FILE": os.devnull,
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }


def succeeded(outcome: Outcome, arguments: tuple[str, ...]) -> bytes:
    """Return a call's output if it ended well.

    Raises:
        StorageError: it did not; it says why.
    """
    if outcome.code != 0:
        raise StorageError(f"`git {arguments[0]}` failed ({outcome.code}): {said(outcome)}")
    return outcome.output


def said(outcome: Outcome) -> str:
    """Return the line of a complaint that says most: the first that is fatal or an error, else the last."""
    lines = [line.strip() for line in outcome.complaint.splitlines() if line.strip()]
    worst = [line for line in lines if line.startswith(("fatal:", "error:", "remote: error", "ssh:"))]
    return (worst or lines[-1:] or ["it did not say why"])[0][:400]


def find_git(environ: Mapping[str, str]) -> str | None:
    """Return git's absolute path, or None where there is none. Relative steps of ``PATH`` do not count."""
    with contextlib.suppress(OSError):
        found = shutil.which("git", path=absolute_path(environ.get("PATH", os.defpath)))
        return os.path.abspath(found) if found else None
    return None


def absolute_path(path: str) -> str:
    """Return a ``PATH`` without its relative and empty steps, which name whatever folder a program stands in."""
    return os.pathsep.join(step for step in path.split(os.pathsep) if os.path.isabs(step))
