"""The approve command: a person makes memory of a proposal."""

from __future__ import annotations

import sys

import click

from upheld.cli.asking import edited
from upheld.cli.deciding import Decider, gated
from upheld.cli.options import Shared
from upheld.errors import UsageError
from upheld.model.proposal_view import Decided, ProposalView
from upheld.model.written import Written
from upheld.render.proposal import text_view


@click.command("approve", short_help="Make a version of a proposal: a person's act.")
@click.argument("proposal_id", metavar="ID")
@click.option("--edit", is_flag=True, help="Change the text in your editor first.")
@click.option("--digest", metavar="SHA-256", help="The digest that `show` printed; required with --yes and --dry-run.")
@click.option("--dry-run", is_flag=True, help="Show the exact change as a diff; write nothing.")
@click.option("--yes", is_flag=True, help="Answer with yes; only where the store's policy automates `approve`.")
@click.option(
    "--key", "sealing_key", metavar="FILE", help="What seals: a private key file, agent, or agent:FINGERPRINT."
)
@gated
def command(
    given: Shared,
    proposal_id: str,
    edit: bool,
    digest: str | None,
    dry_run: bool,
    yes: bool,
    sealing_key: str | None,
) -> Decided | Written:
    """Show one proposal, ask, and seal it as a version of its key.

    The approval is of exactly what was shown: a proposal that is changed meanwhile is refused, and so is one that was
    approved before. It takes a terminal and a key that seals here.

    \b
    Examples:
      upheld approve 20261130-5f0c9a31be
      upheld approve 20261130-5f0c9a31be --edit
      upheld approve 20261130-5f0c9a31be --yes --digest 3b5c...      (where the policy automates it)
    """
    memory = given.replace(key=sealing_key).open()
    if (yes or dry_run) and digest is None:
        raise UsageError("which bytes are meant? --digest is missing", help=f"`upheld show {proposal_id}` prints it")
    view = memory.show(proposal_id)
    text = edited(view.after).decode("utf-8", "replace") if edit else None
    if text is not None:
        view = memory.show(proposal_id, text=text)
    if not (yes or dry_run):
        _show(view)
    return memory.approve(
        view.proposal.id, sha256=digest or view.sha256, text=text, dry_run=dry_run, ask=Decider(yes=yes)
    )


def _show(view: ProposalView) -> None:
    sys.stderr.write(text_view(view))
    sys.stderr.flush()
