"""The migrate command: seal a store that carries no seal."""

from __future__ import annotations

import os

import click

from upheld.cli.consent import ask_passphrase, at_terminal, consent
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.person import writer_name
from upheld.compose.sealing import key_to_start_with, migrate, preview_migrate
from upheld.compose.trusting import probed
from upheld.errors import UsageError
from upheld.model.done import Done


@click.command("migrate", short_help="Seal a store that carries no seal.")
@click.option("--key", metavar="KEY", help="Seal with this key: a private key file, `agent` or `agent:FINGERPRINT`.")
@click.option("--no-passphrase", is_flag=True, help="UNSAFE: make a key that whatever runs as you can seal with.")
@click.option("--automation", metavar="VERBS", help="The verbs that --yes may answer for, with commas (default: none).")
@click.option("--name", metavar="NAME", help="Who holds the key, for the trust root (default: your login name).")
@click.option("--dry-run", is_flag=True, help="Show what would be rewritten; write nothing.")
@shared
def command(
    given: Shared, key: str | None, no_passphrase: bool, automation: str | None, name: str | None, dry_run: bool
) -> int:
    """Seal a store that carries no seal, and pin it here. Texts, dates and ids stay as they are.

    Without --key, the first of your own sealing key, ~/.ssh/id_ed25519 and the ssh-agent's keys is used; where there is
    none, one is made and its passphrase asked. Where nobody can be asked, --key or --no-passphrase says it by name.

    \b
    Examples:
      upheld migrate --dry-run
      upheld migrate --key ~/.ssh/id_ed25519
      upheld migrate --automation review
    """
    path = given.open().path
    plan, flags = preview_migrate(path)
    facts = (
        ("store", path),
        ("keys", f"{len(plan.entries):,}"),
        ("files written", f"{len(plan.files):,}"),
        ("files replaced", f"{len(plan.replaces):,}"),
    )
    if dry_run:
        write(Done(what="would seal this store", facts=facts, notes=flags, dry_run=True), given.form)
        return 0
    if at_terminal():
        consent([*(f"{label}: {text}" for label, text in facts), *flags], "Seal it, and pin it on this machine?")
    elif key is None and not no_passphrase:
        raise UsageError("a person must agree to this at a terminal", help="or say by name which key: `--key KEY`")
    found = key_to_start_with(key, ask_passphrase, passphrase=not no_passphrase)
    verbs = () if not automation or automation == "none" else tuple(dict.fromkeys(automation.split(",")))
    committed = migrate(path, found, by=name or writer_name(os.environ, path), automation=verbs)
    notes = tuple(finding.entry.what for attempt in probed(path, found) for finding in attempt.findings)
    notes = (*flags, *notes, *((committed.warning,) if committed.warning else ()))
    made = (("version", str(committed.version)), ("sealed by", found.identity.key.fingerprint))
    write(Done(what="sealed and pinned this store", facts=(*facts, *made), notes=notes), given.form)
    return 0
