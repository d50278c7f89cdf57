"""The log group."""

from __future__ import annotations

import click

from upheld.cli.lazy import LazyGroup

COMMANDS: dict[str, str] = {
    "show": "upheld.cli.log.show",
    "verify": "upheld.cli.log.verify",
}


@click.group("log", short_help="Who did what, when.", cls=LazyGroup, commands_in=COMMANDS)
def command() -> None:
    """What happened to the store: who, what, when, and the digests before and after.

    \b
    Examples:
      upheld log show --limit 20
      upheld log verify
    """
