"""trust accept."""

from __future__ import annotations

import click

from upheld.cli.consent import consent
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.accepted import accepted_root
from upheld.compose.trusting import gate_at
from upheld.model.codes import CODES
from upheld.model.done import Done
from upheld.services.trust_accept import accept, demand_mentioned
from upheld.services.trust_state import pinned_state


@click.command("accept")
@click.argument("name", metavar="CODE:WHAT")
@click.option("--yes", is_flag=True, help="Do not ask, where the policy's automation lists `trust`.")
@click.option("--dry-run", is_flag=True, help="Show what would be accepted; write nothing.")
@shared
def command(given: Shared, name: str, yes: bool, dry_run: bool) -> int:
    """Accept a finding that every recall mentions, by its full name. It holds on this machine only.

    \b
    Examples:
      upheld trust accept SIG030:0f1e2d3c4b5a6978
    """
    with gate_at(given.open().path) as gate:
        demand_mentioned(pinned_state(gate), name)
        code = CODES.get(name.partition(":")[0])
        what = code.what if code is not None else name
        if not dry_run:
            consent([f"{name}: {what}"], "Accept this?", yes=yes, automation=accepted_root(gate).policy.automation)
            accept(gate, name)
    verb = "would accept" if dry_run else "accepted"
    write(Done(what=f"{verb} {name}", facts=(("it says", what),), dry_run=dry_run), given.form)
    return 0
