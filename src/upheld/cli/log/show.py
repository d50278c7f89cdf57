"""log show."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import write


@click.command("show")
@click.option("--key", metavar="KEY", help="Only the events of this key.")
@click.option("--limit", type=click.IntRange(min=1), help="Show this many, newest first; the rest is checked anyway.")
@shared
def command(given: Shared, key: str | None, limit: int | None) -> int:
    """List the events of the log, newest first. Exits 0, or 1 where the chain has a fault.

    \b
    Examples:
      upheld log show --limit 20
      upheld log show --key customer-copy
      upheld log show --format json
    """
    memory = given.open()
    view = memory.log(key=key, limit=limit)
    write(view, given.form, store=memory.path)
    return 1 if view.outcome == "failed" else 0
