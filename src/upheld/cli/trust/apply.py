"""trust apply."""

from __future__ import annotations

import click

from upheld.cli.consent import ask_passphrase
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.cli.trust.change import agree, apply, described
from upheld.compose.sealing import key_sources
from upheld.compose.trusting import opened, read_file
from upheld.errors import UsageError
from upheld.services.trust_next import judge


@click.command("apply")
@click.argument("file")
@click.option("--key", metavar="KEY", help="Seal with this key: a private key file, `agent` or `agent:FINGERPRINT`.")
@click.option("--yes", is_flag=True, help="Do not ask, where the policy's automation lists `trust`.")
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
@shared
def command(given: Shared, file: str, key: str | None, yes: bool, dry_run: bool) -> int:
    """Make a trust root count that enough keys have signed, in one commit sealed by a key of it.

    \b
    Examples:
      upheld trust apply root.json
    """
    path = given.open().path
    draft = opened(path, read_file(file), file)
    if dry_run:
        write(described(draft, "would make", dry_run=True), given.form)
        return 0
    if not draft.standing.is_met:
        before, own = draft.standing.before, draft.standing.own
        raise UsageError(
            f"{len(before.signers)} of {before.threshold} keys of the old root and {len(own.signers)} of "
            f"{own.threshold} of the new one have signed",
            help=f"the others run `upheld trust sign {file}`",
        )
    judge(draft.current, draft.pending).require()
    agree(draft, yes=yes)
    return apply(given, path, draft, {}, (key_sources(key, ask_passphrase),))
