"""triggers clear: a key that has nothing but its sentence."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import Consent, writing
from upheld.model.written import Written


@click.command("clear", short_help="Leave a key nothing but its sentence.")
@click.argument("key")
@writing
def command(given: Shared, consent: Consent, key: str) -> Written:
    """Take every matcher and example from KEY, readable or not; its sentence stays.

    \b
    Examples:
      upheld triggers clear customer-copy --dry-run
    """
    return given.open().triggers.clear(key, **consent.keywords)
