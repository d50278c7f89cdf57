"""trust allow-unsealed."""

from __future__ import annotations

import click

from upheld.cli.consent import consent
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.trusting import gate_at
from upheld.model.done import Done
from upheld.services.trust_unsealed import allow_unsealed, demand_unpinned

_WARNING = "UNSAFE: nothing will say who wrote this store, and no recall of it is ever 'verified'."


@click.command("allow-unsealed")
@click.option("--off", is_flag=True, help="Take the setting back.")
@click.option("--dry-run", is_flag=True, help="Show what would be set; write nothing.")
@shared
def command(given: Shared, off: bool, dry_run: bool) -> int:
    """UNSAFE: read this place without a seal from now on, as if every command had --unsealed.

    The setting is yours, on this machine, for this place; nothing that the project brings can set it. A place where a
    store is pinned is never read unsealed. Asked at a terminal; no policy lets --yes answer for it.

    \b
    Examples:
      upheld trust allow-unsealed
      upheld trust allow-unsealed --off
    """
    path = given.open().path
    with gate_at(path) as gate:
        demand_unpinned(gate, allowed=not off)
        if not dry_run:
            if not off:
                consent([path, _WARNING], "Read it without a seal all the same?")
            allow_unsealed(gate, allowed=not off)
    verb = "would be" if dry_run else "is now"
    what = f"this place {verb} {'refused' if off else 'read'} without a seal"
    write(Done(what=what, facts=(("place", path),), notes=() if off else (_WARNING,), dry_run=dry_run), given.form)
    return 0
