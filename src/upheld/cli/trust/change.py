"""What every command that changes the trust root does after it knows the change: show, ask, sign, apply or pass on."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from upheld.cli.consent import ask_passphrase, consent
from upheld.cli.options import Shared
from upheld.cli.output import write
from upheld.compose.person import writer_name
from upheld.compose.sealing import key_sources
from upheld.compose.trusting import Draft, applied, drafted, signed, write_file
from upheld.errors import NoKeyError
from upheld.model.done import Done
from upheld.services.trust_next import Edit
from upheld.stores.keyring_sealer import KeyringSealer
from upheld.stores.keyrings import KeySources
from upheld.wire import pending_root

_OPTIONS = (
    click.option(
        "--key", metavar="KEY", help="Sign with this key: a private key file, `agent` or `agent:FINGERPRINT`."
    ),
    click.option("--out", metavar="FILE", help="Write the signed root here for others to sign; change nothing yet."),
    click.option("--yes", is_flag=True, help="Do not ask, where the policy's automation lists `trust`."),
    click.option("--dry-run", is_flag=True, help="Show what would change; write nothing."),
)


def with_change_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every change of a trust root takes."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def change(
    given: Shared, edit: Edit, *, key: str | None, out: str | None, yes: bool, dry_run: bool, also: str | None = None
) -> int:
    """Carry out one change of the trust root.

    Args:
        given: the shared options.
        edit: the change.
        key: what ``--key`` says.
        out: what ``--out`` says.
        yes: ``--yes`` was given.
        dry_run: nothing is written.
        also: one more key to sign with: the one that comes, in a rotation.
    """
    path = given.open().path
    draft = drafted(path, edit)
    if dry_run:
        write(described(draft, "would make", dry_run=True), given.form)
        return 0
    agree(draft, yes=yes)
    sources = (key_sources(key, ask_passphrase), *((key_sources(also, ask_passphrase),) if also else ()))
    draft, unlocked = signed(draft, sources)
    if draft.standing.is_met and out is None:
        return apply(given, path, draft, unlocked, sources)
    if not unlocked and out is None:
        raise NoKeyError(
            "no key here may sign the next trust root",
            help="name one with `--key`, or write the root for others to sign with `--out FILE`",
        )
    return pass_on(given, draft, out or f"trust-root-{draft.version}.json")


def agree(draft: Draft, *, yes: bool) -> None:
    """Have a person agree to the differences."""
    lines = [f"version {draft.version} of the trust root would:", *(f"   {line}" for line in draft.says)]
    consent(lines, "Sign this?", yes=yes, automation=draft.current.root.policy.automation)


def apply(
    given: Shared, path: str, draft: Draft, unlocked: dict[str, KeyringSealer], sources: tuple[KeySources, ...]
) -> int:
    """Publish a root that enough keys have signed."""
    committed = applied(path, draft, unlocked, sources, writer_name(os.environ, path))
    done = described(draft, "made")
    facts = (*done.facts, ("store version", str(committed.version)))
    warnings = (committed.warning,) if committed.warning else ()
    write(done.replace(facts=facts, notes=warnings), given.form)
    return 0


def pass_on(given: Shared, draft: Draft, file: str, *, replace: bool = False) -> int:
    """Write a root that is not signed by enough keys yet, or is not to be applied yet."""
    write_file(file, pending_root.encode(draft.pending), replace=replace)
    done = described(draft, "wrote")
    what = "`upheld trust apply`" if draft.standing.is_met else "`upheld trust sign`, then `upheld trust apply`"
    facts = (*done.facts, ("file", file))
    write(done.replace(facts=facts, notes=(f"nothing has changed yet; next: {what} with this file",)), given.form)
    return 0


def described(draft: Draft, verb: str, *, dry_run: bool = False) -> Done:
    """Say what a draft would change, and whose signatures it has."""
    now = draft.standing
    counts = (
        (f"signed by the rules of version {draft.version - 1}", f"{len(now.before.signers)} of {now.before.threshold}"),
        (f"signed by the rules of version {draft.version}", f"{len(now.own.signers)} of {now.own.threshold}"),
    )
    changes = tuple(("change", line) for line in draft.says)
    return Done(what=f"{verb} version {draft.version} of the trust root", facts=(*changes, *counts), dry_run=dry_run)
