"""trust forget."""

from __future__ import annotations

import click

from upheld.cli.consent import consent
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.trusting import forget, remembered
from upheld.model.done import Done
from upheld.model.names import short


@click.command("forget")
@click.option("--dry-run", is_flag=True, help="Show what would be forgotten; write nothing.")
@shared
def command(given: Shared, dry_run: bool) -> int:
    """Remove what this machine remembers of a place: the pin, the newest version seen, the clock mark.

    After it, nothing tells an older copy of the store, or another store, from the right one until somebody pins it
    again. Asked at a terminal; no policy lets --yes answer for it.

    \b
    Examples:
      upheld trust forget
      upheld trust forget --store old-project/.upheld
    """
    path = given.open().path
    state = remembered(path)
    facts: tuple[tuple[str, str], ...] = (("place", path),)
    if state is not None and state.head is not None:
        facts += (("store", short(state.store_id)), ("version", str(state.head.version)))
    if not dry_run:
        consent([f"{label}: {text}" for label, text in facts], "Forget this store?")
        forget(path)
    what = "would forget this place" if dry_run else "this place is forgotten"
    write(Done(what=what, facts=facts, dry_run=dry_run), given.form)
    return 0
