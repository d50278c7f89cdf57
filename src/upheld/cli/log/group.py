"""The log group."""

from __future__ import annotations

import click

from upheld.cli.log.show import command as show
from upheld.cli.log.verify import command as verify


@click.group("log", short_help="Who did what, when.")
def command() -> None:
    """What happened to the store: who, what, when, and the digests before and after.

    \b
    Examples:
      upheld log show --limit 20
      upheld log verify
    """


command.add_command(show)
command.add_command(verify)
