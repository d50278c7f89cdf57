"""The show command: everything that a decision about one proposal rests on."""

from __future__ import annotations

import click

from upheld.cli.deciding import REFUSED, gated
from upheld.cli.options import Shared
from upheld.model.proposal_view import ProposalView


@click.command("show", short_help="Show a proposal as a person must see it to decide.")
@click.argument("proposal_id", metavar="ID")
@gated
def command(given: Shared, proposal_id: str) -> tuple[ProposalView, int]:
    """Show one proposal: who asked, what would be served, when, until when, and what the screen says of it now.

    ID may be the beginning of an id. Exits 0, or 4 where it cannot be approved as it is.

    \b
    Examples:
      upheld show 20261130-5f0c9a31be
      upheld show 20261130-5f0c9a31be --format json
    """
    view = given.open().show(proposal_id)
    return view, 0 if view.can_be_approved else REFUSED
