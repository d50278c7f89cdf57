"""The gc command: remove what nothing names."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import Consent, writing
from upheld.model.reports import Collected


@click.command("gc", short_help="Remove old files that nothing names.")
@writing
def command(given: Shared, consent: Consent) -> Collected:
    """Remove files that nothing in the store names and that are older than any writer could be at work.

    A damaged store is left alone: what it names cannot be told for sure.

    \b
    Examples:
      upheld gc --dry-run
    """
    return given.open().gc(**consent.keywords)
