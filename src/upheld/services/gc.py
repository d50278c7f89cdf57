"""gc: remove files that nothing names, once they are older than any writer that could still come to name them."""

from __future__ import annotations

from upheld.errors import RefusedError
from upheld.model.answer import Refusal
from upheld.model.finding import worst_first
from upheld.model.reports import Collected
from upheld.services.commit import DEADLINE_SECONDS, LOCK_SECONDS, Writer, load
from upheld.services.orphans import named, orphans

GRACE_SECONDS = 3600
"""A writer gives up after ``DEADLINE_SECONDS``; this is far longer, for clocks that differ between machines."""
assert GRACE_SECONDS > DEADLINE_SECONDS + LOCK_SECONDS


def gc(writer: Writer, *, dry_run: bool = False) -> Collected:
    """Remove orphans.

    Args:
        writer: its store, admission and day are used; nothing is committed.
        dry_run: only say what would go.

    Raises:
        RefusedError: the store is damaged, so what it names cannot be told for sure; nothing is removed.
        BusyError: another writer holds the store.
    """
    if dry_run:
        return _collect(writer, dry_run=True)
    with writer.store.lock(LOCK_SECONDS):
        return _collect(writer, dry_run=False)


def _collect(writer: Writer, *, dry_run: bool) -> Collected:
    base = load(writer)
    names, findings = named(base)
    if findings:
        raise RefusedError(
            "the store is damaged, so nothing is removed from it",
            refusal=Refusal(key="", findings=worst_first(tuple(findings)), as_of=base.today),
            help="see `upheld doctor`",
        )
    old: list[str] = []
    young: list[str] = []
    for name in orphans(base, names):
        (old if writer.store.age(name) > GRACE_SECONDS else young).append(name)
    if not dry_run and old:
        writer.store.remove(old)
    return Collected(removed=tuple(old), young=tuple(young), is_dry=dry_run, grace=GRACE_SECONDS)
