"""Who is writing, and with which editor: read from the environment here, when a writing verb asks."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from shutil import which

OWNER = "UPHELD_OWNER"
_SECONDS = 5
_USUAL_EDITORS = ("sensible-editor", "nano", "vi", "notepad")


def writer_name(environ: Mapping[str, str], folder: str) -> str:
    """Return who is writing: ``UPHELD_OWNER``, else git's user.name, else the login name."""
    named = environ.get(OWNER, "").strip() or _git_config(folder, "user.name") or _login(environ)
    return "".join(character for character in named if character.isprintable())[:200] or "unknown"


def _git_config(folder: str, *wanted: str) -> str:
    command = ["git", "config", *wanted[:-1], "--get", wanted[-1]]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command; only its output is used
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def _login(environ: Mapping[str, str]) -> str:
    for name in ("LOGNAME", "USER", "USERNAME"):
        if environ.get(name):
            return environ[name]
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return ""


def editor(environ: Mapping[str, str]) -> str | None:
    """Return the command that edits a file, or None where there is none.

    ``VISUAL``, else ``EDITOR``, else the ``core.editor`` of the user's own git settings (those of a checkout choose no
    program here), else the first of a few usual ones that is installed.
    """
    named = environ.get("VISUAL") or environ.get("EDITOR") or _git_config(os.sep, "--global", "core.editor")
    return named or next((name for name in _USUAL_EDITORS if which(name, path=environ.get("PATH"))), None)
