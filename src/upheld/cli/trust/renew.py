"""trust renew."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.trust.change import change, with_change_options
from upheld.cli.trust.fields import day
from upheld.errors import UsageError
from upheld.services.seal_store import ROOT_DAYS
from upheld.services.trust_renew import renew


@click.command("renew")
@click.option("--days", type=click.IntRange(1, 36_500), default=ROOT_DAYS, show_default=True, help="From today.")
@click.option("--key-expires", "ends", metavar="KEY=YYYY-MM-DD", multiple=True, help="A key's new end; KEY=never.")
@with_change_options
@shared
def command(
    given: Shared, days: int, ends: tuple[str, ...], key: str | None, out: str | None, yes: bool, dry_run: bool
) -> int:
    """Give the trust root a later end, and keys if named. An expired root can still be renewed.

    \b
    Examples:
      upheld trust renew
      upheld trust renew --days 90 --key-expires bob=2027-06-30
    """
    edit = renew(days=days, key_ends=tuple(_end(text) for text in ends))
    return change(given, edit, key=key, out=out, yes=yes, dry_run=dry_run)


def _end(text: str) -> tuple[str, str | None]:
    named, equals, end = text.rpartition("=")
    if not equals:
        raise UsageError(f"--key-expires {text!r:.80}: KEY=YYYY-MM-DD is wanted, or KEY=never")
    return named, None if end == "never" else day(end)
