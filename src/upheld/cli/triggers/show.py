"""triggers show: when a key applies."""

from __future__ import annotations

import click

from upheld.cli.complete import keys
from upheld.cli.options import Shared
from upheld.cli.writing import reporting
from upheld.model.trigger_reports import Shown


@click.command("show", short_help="When a key applies.")
@click.argument("key", shell_complete=keys)
@reporting
def command(given: Shared, key: str) -> tuple[Shown, int]:
    """Show the sentence, the matchers and the examples of KEY. Exits 1 where they cannot be read.

    \b
    Examples:
      upheld triggers show customer-copy
    """
    shown = given.open().triggers.show(key)
    return shown, int(bool(shown.findings))
