"""triggers lint: what is wrong with triggers."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import reporting
from upheld.model.trigger_reports import Linted


@click.command("lint", short_help="What is wrong with triggers, alone and together.")
@reporting
def command(given: Shared) -> tuple[Linted, int]:
    """Check every trigger alone and all of them against each other. Exits 1 where there is an error.

    \b
    Examples:
      upheld triggers lint
    """
    found = given.open().triggers.lint()
    return found, int(found.failed)
