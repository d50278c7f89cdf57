"""What sync, resolve and draft take from the command line, and how their outcome is printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from upheld.cli.asking import Terminal
from upheld.cli.options import Shared
from upheld.cli.output import put, write
from upheld.compose.absent import place_to_fill
from upheld.compose.library import Memory
from upheld.compose.person import writer_name
from upheld.compose.sealing import key_sources
from upheld.compose.teams import Sharing
from upheld.compose.writing import secret_of
from upheld.errors import NoStoreError, RefusedError, UsageError
from upheld.model.answer import Refusal
from upheld.model.draft_state import Synced
from upheld.render.escape import escape
from upheld.render.jsontext import dumps
from upheld.render.synced import as_json, concise, text

REFUSED = 4


def sharing(
    given: Shared, *, remote: str | None = None, branch: str | None = None, yes: bool = False, seals: bool
) -> Sharing:
    """Return how the store is to be shared in this call."""
    memory = _opened(given, may_be_new=not seals)
    ask = Terminal(yes=yes)
    return Sharing(
        path=memory.path,
        remote=remote,
        branch=branch,
        unsealed=given.unsealed,
        by=writer_name(os.environ, os.path.dirname(memory.path)),
        may_ask=seals and sys.stdin.isatty(),
        keys=key_sources(given.key, secret_of(ask)) if seals else None,
        ask=ask,
        say=_say,
    )


def _opened(given: Shared, *, may_be_new: bool) -> Memory:
    """Open the store; in a fresh clone there is none yet, and it will stand at the top of the work tree."""
    try:
        return given.open()
    except NoStoreError:
        place = place_to_fill(given.store) if may_be_new else None
        if place is None:
            raise
    return given.replace(store=place).open()


def shown(given: Shared, act: Callable[[], Synced]) -> int:
    """Do something about sharing, print what came of it, and return the exit code; a refusal is shown whole."""
    try:
        write_synced(act(), given.form)
    except RefusedError as error:
        if not isinstance(error.refusal, Refusal):
            raise
        write(error.refusal, given.form)
        return REFUSED
    return 0


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


def _say(note: str) -> None:
    sys.stderr.write(f"note: {escape(note)}\n")
