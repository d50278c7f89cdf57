"""trust pin."""

from __future__ import annotations

from contextlib import nullcontext

import click

from upheld.cli.consent import at_terminal, consent
from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.absent import place_to_fill
from upheld.compose.cloning import fetched_gate, fill, keep
from upheld.compose.trusting import gate_at
from upheld.errors import NoStoreError, UsageError
from upheld.model.done import Done
from upheld.model.names import is_digest, short
from upheld.services.trust_pin import UNCHECKED, Introduction, introduction, trust_pin


@click.command("pin")
@click.argument("digest", required=False)
@click.option("--dry-run", is_flag=True, help="Show what would be pinned; write nothing.")
@shared
def command(given: Shared, digest: str | None, dry_run: bool) -> int:
    """Trust a store that this machine has not seen, or not any more.

    DIGEST is the digest of its trust root, as its owner gives it to you by another way than the store itself. Without
    one, the digest and the keys are shown and you are asked to compare them; where nobody can be asked, DIGEST is
    required. In a fresh clone, after `upheld sync --pull` fetched a store, this pins it and then puts it in its place.
    A pin that stands is never lowered or exchanged: `upheld trust forget` comes first.

    \b
    Examples:
      upheld trust pin
      upheld trust pin 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    """
    if digest is not None and not is_digest(digest):
        raise UsageError("DIGEST is 64 lower-case hexadecimal digits", help="`upheld trust show` prints it")
    path = _place(given)
    with fetched_gate(path) as fetched, gate_at(path) if fetched is None else nullcontext(fetched) as gate:
        seen = introduction(gate)
        if digest is None and not dry_run:
            if not at_terminal():
                raise UsageError(
                    "DIGEST is required where nobody can be asked",
                    help="the store's owner gets it from `upheld trust show`; never take it from the store itself",
                )
            consent(_lines(seen), "Is this the digest that the store's owner told you?")
        chosen = digest or seen.view.root_sha256
        if dry_run:
            write(_done(seen, chosen, dry_run=True), given.form)
            return 0
        trust_pin(gate, chosen)
    done = _done(seen, chosen, dry_run=False)
    if fetched is None:
        kept = keep(path)
        done = done.replace(notes=(*done.notes, *([kept] if kept else [])))
    else:
        filled = fill(path)
        note = (f"installed what was fetched, version {filled.version}",) if filled is not None else ()
        done = done.replace(what=f"pinned {path}", notes=(*done.notes, *note))
    write(done, given.form)
    return 0


def _place(given: Shared) -> str:
    """Return the store's folder. In a fresh clone there is none yet: what was fetched is pinned, and then installed."""
    try:
        return given.open().path
    except NoStoreError:
        place = place_to_fill(given.store)
        if place is None:
            raise
    return place


def _lines(seen: Introduction) -> list[str]:
    before = seen.refused_before
    lines = [f"refused until now: {before.code} {before.entry.name}: {before.entry.what}"] if before else []
    lines += [f"   {label}: {text}" for label, text in (before.facts if before else ())]
    return [*lines, *(f"{label}: {text}" for label, text in _facts(seen, seen.view.root_sha256))]


def _facts(seen: Introduction, digest: str) -> tuple[tuple[str, str], ...]:
    view = seen.view
    keys = tuple((f"key of {key.name}", f"{key.fingerprint} ({key.standing})") for key in view.keys)
    return (("store", short(view.store_id)), ("root digest", digest), ("version", str(view.version)), *keys)


def _done(seen: Introduction, digest: str, *, dry_run: bool) -> Done:
    if seen.already is not None and seen.already.is_pinned:
        what = "the store is pinned here already"
        return Done(what=what, facts=_facts(seen, digest), dry_run=dry_run)
    before = seen.refused_before
    notes = (f"it was refused before: {before.code} {before.entry.name}",) if before else ()
    return Done(
        what=f"{'would pin' if dry_run else 'pinned'} {seen.view.path}",
        facts=_facts(seen, digest),
        notes=(*notes, UNCHECKED.format(version=seen.view.version)),
        dry_run=dry_run,
    )
