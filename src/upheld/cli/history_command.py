"""The history command: every version of one key."""

from __future__ import annotations

import click

from upheld.cli.complete import keys
from upheld.cli.options import Shared, shared
from upheld.cli.output import put, write
from upheld.compose.keeping import history_of
from upheld.model.answer import Refusal
from upheld.render.kept import rendered


@click.command("history", short_help="Every version of a key, newest first.")
@click.argument("key", required=False, shell_complete=keys)
@shared
def command(given: Shared, key: str | None) -> int:
    """Show every version of KEY, newest first: when, why, by whom, and what is wrong with it.

    Without a KEY, every version of the store that is kept on this machine, published or not. No text is shown: a
    superseded instruction stays superseded. Exits 0, or 1 where the chain has a fault, or 4 where the store has no such
    key.

    \b
    Examples:
      upheld history
      upheld history customer-copy
      upheld history customer-copy --format json
    """
    memory = given.open()
    if key is None:
        put(rendered(history_of(memory.path).versions(), given.form))
        return 0
    outcome = memory.history(key)
    write(outcome, given.form, store=memory.path)
    if isinstance(outcome, Refusal):
        return 4
    return 1 if outcome.outcome == "failed" else 0
