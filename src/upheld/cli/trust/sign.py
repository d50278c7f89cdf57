"""trust sign."""

from __future__ import annotations

import click

from upheld.cli.consent import ask_passphrase
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.cli.trust.change import agree, described, pass_on
from upheld.compose.sealing import key_sources
from upheld.compose.trusting import opened, read_file, signed
from upheld.errors import NoKeyError


@click.command("sign")
@click.argument("file")
@click.option("--key", metavar="KEY", help="Sign with this key: a private key file, `agent` or `agent:FINGERPRINT`.")
@click.option("--yes", is_flag=True, help="Do not ask, where the policy's automation lists `trust`.")
@click.option("--dry-run", is_flag=True, help="Show what would be signed; write nothing.")
@shared
def command(given: Shared, file: str, key: str | None, yes: bool, dry_run: bool) -> int:
    """Add your signature to a trust root that somebody passed on.

    What it would change is worked out here, against the root that counts here; read it before you sign.

    \b
    Examples:
      upheld trust sign root.json
      upheld trust sign root.json --dry-run
    """
    draft = opened(given.open().path, read_file(file), file)
    if dry_run:
        write(described(draft, "would sign", dry_run=True), given.form)
        return 0
    agree(draft, yes=yes)
    draft, unlocked = signed(draft, (key_sources(key, ask_passphrase),))
    if not unlocked:
        raise NoKeyError("no key here is still wanted on this root", help="name one with `--key`")
    return pass_on(given, draft, file, replace=True)
