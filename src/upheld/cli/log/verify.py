"""log verify."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import write

_FAILED, _NOT_ALL = 1, 3


@click.command("verify")
@shared
def command(given: Shared) -> int:
    """Check the chain of events from the first to the head that the sealed index names.

    A fault here does not stop recalls at the version that was accepted; it stops the next advance. Exits 0 where the
    whole chain is there and holds, 1 where it does not, 3 where events are missing or nobody sealed the store.

    \b
    Examples:
      upheld log verify
    """
    memory = given.open()
    view = memory.log(limit=0)
    write(view, given.form, store=memory.path)
    if view.outcome == "verified":
        return 0
    return _FAILED if view.outcome == "failed" else _NOT_ALL
