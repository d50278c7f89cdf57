"""The disconnect command: take out of a client's settings what connect put in."""

from __future__ import annotations

import os

import click

from upheld.cli.connecting import CLIENT_NAMES, outcome, with_scope
from upheld.cli.options import Shared, shared
from upheld.compose.connecting import plan_disconnect


@click.command("disconnect", short_help="Take Upheld out of an agent's settings.")
@click.argument("client", metavar="CLIENT", type=click.Choice(CLIENT_NAMES))
@with_scope
@shared
def command(given: Shared, client: str, scope: str, yes: bool, dry_run: bool) -> int:
    """Take out of the settings of CLIENT what `upheld connect` put in, wherever it stands by now, and nothing else.

    Where nobody changed anything else in a file since, it gets back the bytes that it had before.

    \b
    Examples:
      upheld disconnect claude
      upheld disconnect codex --scope project --dry-run
    """
    return outcome(plan_disconnect(client, scope, os.environ, os.getcwd()), given, yes=yes, dry_run=dry_run)
