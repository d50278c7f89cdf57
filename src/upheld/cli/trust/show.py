"""trust show."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.trusting import show


@click.command("show")
@shared
def command(given: Shared) -> int:
    """Show the trust root, its keys and policy, and what this machine remembers of the store.

    It ends in the line for --pin and in the command with which a colleague pins this store. Exits 0, or 4 where what
    is remembered, or the root, cannot be used.

    \b
    Examples:
      upheld trust show
      upheld trust show --format json
    """
    view = show(given.open().path)
    write(view, given.form)
    return 4 if view.findings else 0
