"""trust clock."""

from __future__ import annotations

import click

from upheld.cli.consent import consent
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.trusting import gate_at
from upheld.model.done import Done
from upheld.services.trust_clock import reset_clock
from upheld.services.trust_state import pinned_state


@click.command("clock")
@click.option("--reset", is_flag=True, help="Set the mark to today, where the machine's clock is right. Asked.")
@click.option("--dry-run", is_flag=True, help="Show what --reset would do; write nothing.")
@shared
def command(given: Shared, reset: bool, dry_run: bool) -> int:
    """Show the latest day on which the store was verified here. A clock behind it refuses every recall.

    \b
    Examples:
      upheld trust clock
      upheld trust clock --reset       at a terminal only: no policy lets --yes answer for it
    """
    with gate_at(given.open().path) as gate:
        state = pinned_state(gate)
        facts = (("mark", state.clock_mark or "none"), ("never past", state.clock_limit), ("today", gate.today))
        if not reset or dry_run:
            what = "would set the mark to today" if reset else "the clock mark"
            write(Done(what=what, facts=facts, dry_run=dry_run), given.form)
            return 0
        consent([f"{label}: {text}" for label, text in facts], "Is today right, and the mark wrong?")
        made = reset_clock(gate)
    write(Done(what="the clock mark is reset", facts=(("mark", made.clock_mark or "none"),)), given.form)
    return 0
