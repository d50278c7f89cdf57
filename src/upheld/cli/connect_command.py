"""The connect command: put our hooks and our server into a client's settings."""

from __future__ import annotations

import os

import click

from upheld.cli.connecting import CLIENT_NAMES, outcome, with_scope
from upheld.cli.options import Shared, shared
from upheld.compose.connecting import plan_connect, registration_of, to_print
from upheld.errors import UsageError


@click.command("connect", short_help="Put Upheld into an agent's settings.")
@click.argument("client", metavar="CLIENT", type=click.Choice(CLIENT_NAMES))
@click.option("--print", "only_print", is_flag=True, help="Print what belongs into which file; write nothing.")
@click.option("--portable", is_flag=True, help="Run the `upheld` on each person's PATH, not this interpreter.")
@click.option("--renew-block", is_flag=True, help="Write a block of instructions anew that somebody edited.")
@with_scope
@shared
def command(
    given: Shared,
    client: str,
    scope: str,
    yes: bool,
    dry_run: bool,
    only_print: bool,
    portable: bool,
    renew_block: bool,
) -> int:
    """Put Upheld's hooks and its server into the settings of CLIENT: claude, codex or gemini.

    The change is shown and asked about. What else stands in a file stays as it is, byte for byte, and a copy of the
    file is kept beside it. Trust is never given here: what you must approve in the client is said at the end.
    agents-md, claude-md and gemini-md put a block of instructions into that file. For copilot, cursor, opencode and
    vscode, --print says what to put where.

    \b
    Examples:
      upheld connect claude                        your own settings, for every project
      upheld connect codex --scope project         this project's settings
      upheld connect gemini --dry-run              what would change
      upheld connect cursor --print                what to put where by hand
      upheld connect agents-md --scope project     a block for AGENTS.md
    """
    if only_print:
        return outcome(to_print(client, scope, os.environ, os.getcwd(), portable=portable), given)
    if not registration_of(client).is_written:
        raise UsageError(
            f"the settings of {registration_of(client).title} are not edited",
            help=f"`upheld connect {client} --print` says what to put where",
        )
    plan = plan_connect(client, scope, os.environ, os.getcwd(), portable=portable, renew_block=renew_block)
    return outcome(plan, given, yes=yes, dry_run=dry_run)
