"""trust add-key."""

from __future__ import annotations

import os

import click

from upheld.cli.options import Shared, shared
from upheld.cli.trust.change import change, with_change_options
from upheld.cli.trust.fields import day, public_key
from upheld.services.trust_add_key import add_key


@click.command("add-key")
@click.argument("public", metavar="PUBLIC_KEY")
@click.option("--name", required=True, help="Who holds the key.")
@click.option("--expires-on", metavar="YYYY-MM-DD", help="The first day on which its seals no longer count.")
@click.option("--threshold", type=click.IntRange(1, 64), help="How many keys sign trust roots from now on.")
@with_change_options
@shared
def command(
    given: Shared,
    public: str,
    name: str,
    expires_on: str | None,
    threshold: int | None,
    key: str | None,
    out: str | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """List one more key that may seal. PUBLIC_KEY is a `.pub` file, or its one line.

    \b
    Examples:
      upheld trust add-key bob.pub --name bob
      upheld trust add-key bob.pub --name bob --threshold 2 --out root.json
    """
    edit = add_key(public_key(os.path.expanduser(public)), name, expires_on=day(expires_on), threshold=threshold)
    return change(given, edit, key=key, out=out, yes=yes, dry_run=dry_run)
