"""The due command: what needs a person soon."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import reporting
from upheld.errors import UsageError
from upheld.model.reports import Due

_FAILED = 1


@click.command("due", short_help="What needs review or expires, soonest first.")
@click.option("--within", metavar="DAYS", default="0", help="How far ahead to look, for example 30d (default: today).")
@reporting
def command(given: Shared, within: str) -> tuple[Due, int]:
    """List the keys that need review or expire, soonest first. Exits 1 if a key could not be judged.

    \b
    Examples:
      upheld due
      upheld due --within 30d --format json
    """
    found = given.open().due(within=_days(within))
    return found, _FAILED if found.unread else 0


def _days(text: str) -> int:
    digits = text.removesuffix("d")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 6):
        raise UsageError(f"--within {text!r:.40}: a number of days is wanted", help="for example --within 30d")
    return int(digits)
