"""The where command: which store is meant, and why."""

from __future__ import annotations

import os

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import put
from upheld.errors import UsageError
from upheld.render.escape import escape
from upheld.render.jsontext import dumps

_NO_STORE = 10


@click.command("where", short_help="Which store is meant, and why.")
@shared
def command(given: Shared) -> int:
    """Print which store the other commands would use, and why that one.

    It is the folder named with --store, else the one in UPHELD_STORE, else the nearest .upheld upward from here. Exits
    0 where such a folder exists, else 10.

    \b
    Examples:
      upheld where
      upheld where --format concise     the path alone, for scripts
    """
    memory = given.open()
    exists = os.path.isdir(memory.path)
    if given.form == "json":
        put(dumps({"path": memory.path, "why": memory.why, "exists": exists}) + "\n")
    elif given.form == "concise":
        put(f"{escape(memory.path)}\n")
    elif given.form == "text":
        missing = "" if exists else "there is no such folder\n"
        put(f"{escape(memory.path)}\nwhy: {escape(memory.why)}\n{missing}")
    else:
        raise UsageError(f"--format {given.form} shows faults, and this command shows a place", help="use text or json")
    return 0 if exists else _NO_STORE
