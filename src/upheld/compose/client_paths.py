"""Where clients keep their settings: what their environment variables say, else the home folder; a project's top."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def settings_path(name: str, scope: str, environ: Mapping[str, str], here: str) -> str:
    """Return the absolute path of a settings file.

    Args:
        name: as a registration names it; ``$CODEX_HOME/...`` and the like stand for a folder that a variable may move.
        scope: ``user`` or ``project``.
        environ: the environment.
        here: the working directory.
    """
    first, _, rest = name.partition("/")
    if first.startswith("$"):
        return os.path.join(_moved(first[1:], environ), *filter(None, rest.split("/")))
    return os.path.join(home(environ) if scope == "user" else project_top(here), *name.split("/"))


def home(environ: Mapping[str, str]) -> str:
    """Return the user's home folder."""
    return environ.get("HOME") or os.path.expanduser("~")


def project_top(here: str) -> str:
    """Return the project's top folder: the nearest one upward with a `.git` or a store, else where we are."""
    folder = os.path.abspath(here)
    while True:
        if any(os.path.exists(os.path.join(folder, mark)) for mark in (".git", ".upheld")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return os.path.abspath(here)
        folder = above


def _moved(variable: str, environ: Mapping[str, str]) -> str:
    at_home = home(environ)
    if variable == "CLAUDE_JSON":
        return os.path.join(environ.get("CLAUDE_CONFIG_DIR") or at_home, ".claude.json")
    if variable == "GEMINI_HOME":
        return os.path.join(environ.get("GEMINI_CLI_HOME") or at_home, ".gemini")
    folder = {"CLAUDE_CONFIG_DIR": ".claude", "CODEX_HOME": ".codex"}[variable]
    return environ.get(variable) or os.path.join(at_home, folder)
