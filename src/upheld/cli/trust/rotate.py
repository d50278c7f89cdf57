"""trust rotate."""

from __future__ import annotations

import os

import click

from upheld.cli.consent import ask_passphrase
from upheld.cli.options import Shared, shared
from upheld.cli.trust.change import change, with_change_options
from upheld.cli.trust.fields import day
from upheld.compose.accepted import accepted_root
from upheld.compose.sealing import key_sources
from upheld.compose.trusting import gate_at, identity_of
from upheld.errors import UsageError
from upheld.services.trust_rotate import rotate


@click.command("rotate")
@click.option("--to", metavar="KEY", required=True, help="The new key: a private key file, `agent:FINGERPRINT`.")
@click.option("--old", metavar="KEY", help="The key that goes, by name, id or fingerprint (default: the only one).")
@click.option("--expires-on", metavar="YYYY-MM-DD", help="The first day on which the new key's seals no longer count.")
@with_change_options
@shared
def command(
    given: Shared,
    to: str,
    old: str | None,
    expires_on: str | None,
    key: str | None,
    out: str | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Put a new key in the place of one that is listed. Both sign the new root; the new one seals the store.

    The old key is not revoked: `upheld trust revoke` is for a key that somebody else may hold.

    \b
    Examples:
      upheld trust rotate --to ~/.ssh/new_key
      upheld trust rotate --old bob --to agent:SHA256:XyZ --key ~/.ssh/mine
    """
    new = identity_of(key_sources(os.path.expanduser(to), ask_passphrase))
    edit = rotate(old or _only(given), new.key, expires_on=day(expires_on))
    return change(given, edit, key=key, out=out, yes=yes, dry_run=dry_run, also=to)


def _only(given: Shared) -> str:
    with gate_at(given.open().path) as gate:
        usable = accepted_root(gate).usable_keys
    if len(usable) != 1:
        raise UsageError("the trust root lists more than one key", help="say with `--old` which one goes")
    return usable[0].public_key.key_id
