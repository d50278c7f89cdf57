"""The history command: every version of one key."""

from __future__ import annotations

import click

from upheld.cli.complete import keys
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.model.answer import Refusal


@click.command("history", short_help="Every version of a key, newest first.")
@click.argument("key", shell_complete=keys)
@shared
def command(given: Shared, key: str) -> int:
    """Show every version of KEY, newest first: when, why, by whom, and what is wrong with it.

    No text is shown: a superseded instruction stays superseded. Exits 0, or 1 where the chain has a fault, or 4 where
    the store has no such key.

    \b
    Examples:
      upheld history customer-copy
      upheld history customer-copy --format json
    """
    memory = given.open()
    outcome = memory.history(key)
    write(outcome, given.form, store=memory.path)
    if isinstance(outcome, Refusal):
        return 4
    return 1 if outcome.outcome == "failed" else 0
