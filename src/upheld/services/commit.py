"""The commit protocol: new files first, the pointer last (DESIGN section 2, "Commit").

The steps are numbered as in docs/explanation/commit.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from upheld.checks.finding_of import finding_of
from upheld.errors import BusyError, CommitUnknownError, ConflictError, FaultError, StorageError, UpheldError
from upheld.model.answer import Refusal
from upheld.model.change import Change, Committed
from upheld.model.finding import worst_first
from upheld.model.index import Index
from upheld.model.names import short
from upheld.model.value import Value
from upheld.ports.sealer import Sealer
from upheld.ports.store import WritableStore
from upheld.services.base import Base, Lookup
from upheld.services.named import named
from upheld.services.snapshot import Admission, read_index
from upheld.wire import event as wire_event
from upheld.wire import index as wire_index
from upheld.wire import trie
from upheld.wire.digest import sha256_hex

LOCK_SECONDS = 10.0
DEADLINE_SECONDS = 120.0
"""A writer that takes longer than this from its first read to its swap gives up; ``gc`` waits longer still."""

Plan = Callable[[Base], Change]
_ENVELOPE = ("schema_version", "store_id", "version", "issued_at", "root", "log")
_BODY = ("entries", "retired", "children")


class Writer(Value):
    """Everything a commit needs from outside.

    Attributes:
        store: where to write. admit: what lets the current index be used.
        sealer: puts the seal on; None for a store that has none.
        today: the day, UTC; instant: gives the instant; monotonic: gives seconds for the deadline.
        by: who is writing, for the log.
        lookup: see ``services.base``.
        after: called with what was committed, in order (history, trusted state); the commit stands whatever they do.
    """

    store: WritableStore
    admit: Callable[[bytes, Index], Admission]
    sealer: Sealer | None
    today: str
    instant: Callable[[], str]
    monotonic: Callable[[], float]
    by: str
    lookup: Lookup | None = None
    after: tuple[Callable[[Committed], None], ...] = ()


def commit(writer: Writer, plan: Plan, *, store_id: str | None = None) -> Committed:
    """Make one change, whole or not at all.

    Args:
        writer: see there. Its sealer is unlocked already (step 0).
        plan: works out the change from the version that it is given, which is the one under the lock.
        store_id: who the store is from now on; None leaves it (only a migration gives one).

    Raises:
        ConflictError: a touched key, or the index itself, moved meanwhile.
        BusyError: another writer held the lock, or this one passed its deadline.
        StorageError: the disk failed; nothing was committed.
        CommitUnknownError: the index may or may not have been replaced.
        RefusedError: the current version is damaged or not admitted.
    """
    # 1. One writer at a time, who first settles what a dead one left.
    with exclusive(writer):
        late = writer.monotonic() + DEADLINE_SECONDS
        # 2. Load and verify version N, and work the change out from it.
        base = load(writer)
        change = plan(base)
        check_bases(base, change)
        # 3 to 7.
        return carry_out(writer, base, change, late, store_id=store_id)


@contextmanager
def exclusive(writer: Writer) -> Iterator[None]:
    """Hold the store for this writer, with nothing left behind by a dead one.

    Raises:
        BusyError: another writer held it for too long.
        StorageError: the disk failed.
    """
    with writer.store.lock(LOCK_SECONDS):
        writer.store.settle(lambda: named(writer.store))
        yield


def carry_out(
    writer: Writer,
    base: Base,
    change: Change,
    late: float,
    extra: Mapping[str, bytes] | None = None,
    *,
    store_id: str | None = None,
) -> Committed:
    """Steps 3 to 7: write, seal, swap, tell, tidy up. The caller holds the store.

    Args:
        writer: see there.
        base: the version that the change was worked out from.
        change: what to do.
        late: when, by ``writer.monotonic``, it is too late to swap.
        extra: files that no index names (a README).
        store_id: see ``commit``.
    """
    index, files, replaces = assemble(writer, base, change, store_id)
    digest = sha256_hex(index)
    # 3 and 4. Every new file, and the seal, durable under its own name.
    files = {**files, **(extra or {}), **(writer.sealer.seal(index, digest) if writer.sealer else {})}
    committed = Committed(
        version=_version(base) + len(change.events),
        index_sha256=digest,
        index=index,
        base_sha256=base.index.node.sha256 or None,
        files=files,
        replaces=replaces,
        keys=tuple(sorted({*change.entries, *change.retired})),
    )
    committed = _publish(writer, base, files, replaces, committed, late)
    is_durable = not committed.warning
    # 6. Trusted state and history hear of it.
    committed = _tell(writer, committed)
    # 7. What this commit replaced, and nothing else. If the disk did not confirm the swap, the old version may be what
    # comes back: its files stay, and so does the note, by which the next writer makes sure and then clears them.
    if is_durable:
        writer.store.delete(replaces)
    return committed


def load(writer: Writer) -> Base:
    """Read and admit the current index.

    Raises:
        RefusedError: it is damaged, or not admitted.
    """
    try:
        data, index = read_index(writer.store)
        findings = list(writer.admit(data, index).refusals)
    except FaultError as fault:
        findings, index = [finding_of(fault)], None
    if index is None or findings:
        Refusal(key="", findings=worst_first(tuple(findings)), as_of=writer.today).require()
    assert index is not None
    return Base(writer.store, index, writer.today, writer.lookup)


def check_bases(base: Base, change: Change) -> None:
    """Compare each touched key with what the change was made from.

    Raises:
        ConflictError: one has moved; it names both versions.
    """
    for key, expected in change.bases.items():
        pointer = base.pointer(key)
        now = pointer.record_sha256 if pointer is not None else None
        if now != expected:
            raise ConflictError(
                f"`{key}` was changed meanwhile: yours was made from {short(expected) if expected else 'no record'}, "
                f"the store has {f'{pointer.record_id} ({short(now)})' if pointer and now else 'no record'}",
                mine=expected or "",
                theirs=now or "",
                help=f"look at `upheld recall {key}`, then make the change again from there",
            )


def assemble(
    writer: Writer, base: Base, change: Change, store_id: str | None = None
) -> tuple[bytes, dict[str, bytes], tuple[str, ...]]:
    """Work out the new index, all new files, and what they replace. Nothing is written."""
    touched = {*change.entries, *change.retired}
    edits = {key: (change.entries.get(key), change.retired.get(key)) for key in touched}
    built = trie.update(base.index.node, edits, base.load)
    log, head = _log(writer, base, change)
    fields = envelope(base, change, writer.instant(), head)
    if store_id is not None:
        fields = in_order({**fields, "store_id": store_id})
    index = trie.encode({**fields, **built.body})
    files = {**change.files, **built.files, **log}
    replaces = tuple(sorted({*change.replaces, *built.replaces, *_old_seals(base)} - set(files)))
    return index, files, replaces


def envelope(base: Base, change: Change, instant: str, head: str) -> dict[str, object]:
    """Return the new envelope: fields that we do not know stay as they are."""
    old = {name: value for name, value in base.index.node.fields.items() if name not in _BODY}
    new: dict[str, object] = {
        "schema_version": wire_index.SCHEMA,
        **old,
        "version": _version(base) + len(change.events),
        "issued_at": instant,
        "log": {"head": head},
    }
    if change.root is not None:
        new["root"] = {"version": change.root[0], "sha256": change.root[1]}
    return in_order(new)


def in_order(fields: Mapping[str, object]) -> dict[str, object]:
    """Put the envelope's fields in their usual order, unknown ones behind them."""
    ordered = {name: fields[name] for name in _ENVELOPE if name in fields}
    return {**ordered, **{name: value for name, value in fields.items() if name not in ordered}}


def _log(writer: Writer, base: Base, change: Change) -> tuple[dict[str, bytes], str]:
    head = base.index.log_head
    files: dict[str, bytes] = {}
    at = writer.instant()
    for number, event in enumerate(change.events, _version(base) + 1):
        data = wire_event.encode(number, event, at=event.at or at, by=event.by or writer.by, previous=head)
        files[wire_event.name_of(number)] = data
        head = sha256_hex(data)
    return files, head or ""


def _old_seals(base: Base) -> list[str]:
    prefix = f"seals/{base.index.node.sha256}."
    return [name for name in base.store.list("seals") if name.startswith(prefix)]


def _publish(
    writer: Writer,
    base: Base,
    files: Mapping[str, bytes],
    replaces: tuple[str, ...],
    committed: Committed,
    late: float,
) -> Committed:
    store = writer.store
    try:
        store.put_all(files, index=committed.index, replaces=replaces)
        if writer.monotonic() > late:
            raise BusyError(f"this took longer than {DEADLINE_SECONDS:g} s; nothing was committed", help="try again")
        # 5. The pointer moves, if the index is still the one that was loaded: the commit.
        store.swap(committed.index, base.index.node.sha256 or None)
    except CommitUnknownError as error:
        if _in_place(store) != committed.index_sha256:
            raise
        return committed.replace(warning=error.message)
    except (BusyError, ConflictError, StorageError):
        _settle_own(store)
        raise
    return committed


def _settle_own(store: WritableStore) -> None:
    """Undo this attempt. Where the disk fails at that too, its note stays, and the next writer does it."""
    try:
        store.settle(lambda: named(store))
    except StorageError:
        return


def _in_place(store: WritableStore) -> str:
    try:
        return sha256_hex(store.read(wire_index.PLACE, wire_index.MAX_BYTES))
    except FaultError:
        return ""


def _tell(writer: Writer, committed: Committed) -> Committed:
    for hear in writer.after:
        try:
            hear(committed)
        except (UpheldError, OSError) as error:
            note = f"the change is committed, but {error}"
            committed = committed.replace(warning=f"{committed.warning}; {note}".lstrip("; "))
    return committed


def _version(base: Base) -> int:
    return base.index.version or 0
