"""What sync, resolve and draft take from the command line, and how their outcome is printed."""

from __future__ import annotations

import getpass
import os
import sys

import click

from upheld.cli.options import Shared
from upheld.cli.output import put
from upheld.compose.sealing import key_sources
from upheld.compose.teams import Sharing
from upheld.errors import UsageError
from upheld.model.draft_state import Synced
from upheld.render.escape import escape
from upheld.render.jsontext import dumps
from upheld.render.synced import as_json, concise, text


def sharing(
    given: Shared,
    *,
    remote: str | None = None,
    branch: str | None = None,
    key: str | None = None,
    yes: bool = False,
    seals: bool,
) -> Sharing:
    """Return how the store is to be shared in this call."""
    memory = given.open()
    return Sharing(
        path=memory.path,
        remote=remote,
        branch=branch,
        unsealed=given.unsealed,
        by=getpass.getuser(),
        may_ask=seals and sys.stdin.isatty(),
        keys=key_sources(key, _passphrase) if seals else None,
        yes=yes,
        agrees=_agrees,
        say=_say,
    )


def write_synced(done: Synced, form: str) -> None:
    """Print what a sync did.

    Raises:
        UsageError: the format has nothing to say about it.
    """
    if form == "json":
        put(dumps(as_json(done)) + "\n")
    elif form in ("text", "concise"):
        put(text(done) if form == "text" else concise(done))
    else:
        raise UsageError(f"--format {form} shows faults, and this command shows a sync", help="try --format json")


def _agrees(question: str) -> bool:
    return sys.stdin.isatty() and click.confirm(question, err=True)


def _passphrase(name: str) -> str | None:
    if not (sys.stdin.isatty() and os.isatty(2)):
        return None
    return getpass.getpass(f"passphrase for {name}: ") or None


def _say(note: str) -> None:
    sys.stderr.write(f"note: {escape(note)}\n")
