"""The inbox command: what waits, and deciding about all of it in one go."""

from __future__ import annotations

import click

from upheld.cli.deciding import gated
from upheld.cli.options import Shared
from upheld.model.proposal_view import Decided, Inbox


@click.command("inbox", short_help="List the proposals that wait, or decide about them.")
@click.option("--review", is_flag=True, help="Walk through them, one key a decision, and seal once at the end.")
@click.option(
    "--key", "sealing_key", metavar="FILE", help="What seals: a private key file, agent, or agent:FINGERPRINT."
)
@gated
def command(given: Shared, review: bool, sealing_key: str | None) -> Inbox | Decided:
    """List the proposals that wait, oldest first; with --review, decide about each at the terminal.

    In a review: y approves, n rejects, e edits and approves, s skips, u undoes the last decision, q ends it. Nothing
    is written before the end, where one question and one signature seal everything that was approved.

    \b
    Examples:
      upheld inbox
      upheld inbox --review
      upheld inbox --format json
    """
    memory = given.replace(key=sealing_key).open()
    if not review:
        return memory.inbox()
    from upheld.cli.reviewing import walk

    return walk(memory)
