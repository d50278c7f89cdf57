"""triggers build: the route index of this place."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import reporting
from upheld.model.trigger_reports import Tuned


@click.command("build", short_help="Build the route index of this place anew.")
@reporting
def command(given: Shared) -> Tuned:
    """Build what `upheld route` reads, for the store as it is now. A commit and a sync do it by themselves.

    It lies in your own state folder and holds nothing that is trusted: every key that it names is looked up in the
    verified store. The limit for texts is chosen anew, for 1 % of wrong loads.

    \b
    Examples:
      upheld triggers build
    """
    return given.open().triggers.build()
