"""The command line that a client is told to run at an event: absolute, with no shim in its path and nothing to resolve.

``python -I -S`` leaves out the site module, with its start-up files, and every variable and folder that a project could
bring modules in by; so the two folders that are needed are named. ``connect`` writes this into a client's settings, and
``doctor`` compares what it finds there with it.
"""

from __future__ import annotations

import os
import sys
from json import dumps

import upheld


def hook_command(client: str, event: str) -> tuple[str, ...]:
    """Return the program and its arguments for one event of one client, for settings that take an argument vector.

    Args:
        client: one of ``claude``, ``codex``, ``gemini``, ``copilot``, ``cursor``, ``vscode``, ``opencode``.
        event: one of ``session-start``, ``prompt``, ``before-tool``, ``subagent-start``.
    """
    # In double quotes, so that a shell's single quotes around the whole of it need no escape.
    folders = ", ".join(map(dumps, _folders()))
    start = f"import sys; sys.path += [{folders}]; from upheld.hooks.start import run; run()"
    return (_interpreter(), "-I", "-S", "-c", start, "hook", "--client", client, event)


def hook_line(client: str, event: str) -> str:
    """Return the same as one line, for settings that hand it to a shell."""
    from shlex import join

    return join(hook_command(client, event))


def _interpreter() -> str:
    """The interpreter of this environment, by its real folder and its own name: never a shim found on a path."""
    return os.path.abspath(sys.executable)


def _folders() -> list[str]:
    """Where Upheld's own package stands, and the packages that it needs; one folder unless it is installed editable."""
    import click

    own = os.path.dirname(os.path.dirname(os.path.abspath(upheld.__file__)))
    needed = os.path.dirname(os.path.dirname(os.path.abspath(click.__file__)))
    return list(dict.fromkeys((own, needed)))
