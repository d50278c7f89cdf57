"""Start ``upheld sync --pull`` and forget it: no terminal, no descriptor of ours, nothing that could ask anybody."""

from __future__ import annotations

import os
import sys

_NEVER_ASK = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
}


def start_pull(path: str) -> bool:
    """Start it for the store in ``path``; return whether it was started."""
    command = [sys.executable, "-I", "-m", "upheld", "sync", "--pull", "--store", path, "--format", "concise"]
    environ = {**os.environ, **_NEVER_ASK}
    if not hasattr(os, "posix_spawn"):
        return _start_elsewhere(command, environ)
    try:
        _keep_descriptors()
        nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        os.posix_spawn(command[0], command, environ, file_actions=nothing, setsid=True)
    except (OSError, NotImplementedError):
        return False
    return True


def _keep_descriptors() -> None:
    """Whatever the client left open for us stays ours."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                _keep(int(name) if name.isdigit() else 0)
            return


def _keep(descriptor: int) -> None:
    try:
        if descriptor > 2:
            os.set_inheritable(descriptor, False)
    except OSError:
        return  # the one that listed the folder


def _start_elsewhere(command: list[str], environ: dict[str, str]) -> bool:
    import subprocess

    quiet = subprocess.DEVNULL
    detached = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    try:
        subprocess.Popen(  # noqa: S603 - this very program
            command, env=environ, stdin=quiet, stdout=quiet, stderr=quiet, close_fds=True, creationflags=detached
        )
    except OSError:
        return False
    return True
