"""The reject command: no, and not again."""

from __future__ import annotations

import click

from upheld.cli.asking import person, words
from upheld.cli.deciding import gated
from upheld.cli.options import Shared
from upheld.errors import UsageError
from upheld.model.proposal_view import Decided
from upheld.render.proposal import Rejections


@click.command("reject", short_help="Turn a proposal down; its text does not come back.")
@click.argument("proposal_id", metavar="[ID]", required=False)
@click.option("--because", metavar="TEXT", help="Why; asked for at a terminal. It stays on this machine.")
@click.option("--lift", is_flag=True, help="Let the rejected text of ID be proposed again (at a terminal).")
@click.option("--list", "listed", is_flag=True, help="List what was rejected here; the texts are not kept.")
@gated
def command(
    given: Shared, proposal_id: str | None, because: str | None, lift: bool, listed: bool
) -> Decided | Rejections:
    """Reject one proposal, and remember a sketch of its text here, so that it does not come back with a space changed.

    The sketch cannot be read back, and what the screen marked is left out of it.

    \b
    Examples:
      upheld reject 20261130-5f0c9a31be --because "We never agreed on this."
      upheld reject --list
      upheld reject --lift 20261130-5f0c9a31be
    """
    memory = given.open()
    if listed:
        return Rejections(rejections=memory.rejections())
    if proposal_id is None:
        raise UsageError("which proposal? ID is missing", help="see `upheld inbox`")
    if lift:
        _demand_terminal()
        memory.lift(proposal_id)
        return Rejections(rejections=memory.rejections())
    return memory.reject(proposal_id, because=words(because, "--because", "Why is it rejected?"))


def _demand_terminal() -> None:
    source = person()
    if source is None:
        raise UsageError(
            "a rejection is lifted by a person, and there is no terminal here", help="run it at a terminal"
        )
    source.close()
