"""trust revoke."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.trust.change import change, with_change_options
from upheld.services.trust_revoke import revoke


@click.command("revoke")
@click.argument("revoked", metavar="KEY")
@click.option("--threshold", type=click.IntRange(1, 64), help="How many keys sign trust roots from now on.")
@with_change_options
@shared
def command(
    given: Shared, revoked: str, threshold: int | None, key: str | None, out: str | None, yes: bool, dry_run: bool
) -> int:
    """Revoke a key for good: by its id, its fingerprint or its holder's name.

    Whoever has not read the new root yet still accepts the old key's seals; a freshness limit bounds for how long.

    \b
    Examples:
      upheld trust revoke bob
      upheld trust revoke SHA256:XyZ... --key ~/.ssh/mine
    """
    return change(given, revoke(revoked, threshold=threshold), key=key, out=out, yes=yes, dry_run=dry_run)
