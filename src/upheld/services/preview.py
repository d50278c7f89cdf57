"""Work a change out to the last byte, and write nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.errors import FaultError, UsageError
from upheld.model.change import Change
from upheld.model.written import FileChange, Served, Written
from upheld.services.base import Base
from upheld.services.commit import Writer, assemble, check_bases
from upheld.services.meaning import meaning
from upheld.services.prepared import Prepared
from upheld.wire import index as wire
from upheld.wire import record as wire_record
from upheld.wire.digest import sha256_hex

_READ_LIMIT = 4 * 1024 * 1024


def preview(writer: Writer, base: Base, prepared: Prepared, verb: str) -> Written:
    """Return what a commit of this plan would write, as of the version in ``base``.

    Raises:
        UsageError: the store is of the article's form.
        ConflictError: the plan was made from something else.
    """
    if base.index.version is None:
        raise UsageError(
            "this store is of the article's form, which Upheld reads and does not write",
            help="`upheld migrate` makes a store of it that can be kept",
        )
    change = prepared.plan(base)
    check_bases(base, change)
    index, files, replaces = assemble(writer, base, change)
    return planned(
        change,
        verb=verb,
        key=prepared.key,
        version=base.index.version + len(change.events),
        changes=(
            *file_changes(writer, files, replaces, prepared.hidden),
            FileChange(was=wire.PLACE, name=wire.PLACE, before=base.index.node.raw, after=index),
        ),
        served=meaning(base, change, hides=bool(prepared.hidden)),
        notes=prepared.notes,
    )


def planned(
    change: Change,
    *,
    verb: str,
    key: str,
    version: int,
    changes: tuple[FileChange, ...],
    served: tuple[Served, ...] = (),
    notes: tuple[str, ...] = (),
) -> Written:
    """Return the outcome of a change that is not committed yet."""
    entry = next((e for e in (*change.entries.values(), *change.retired.values()) if e is not None), {})
    target = str(entry.get("target", ""))
    fields = _fields(change.files.get(target, b""), target)
    return Written(
        outcome="planned",
        verb=verb,
        key=key,
        version=version,
        record_id=str(entry.get("record_id", "")),
        record_sha256=str(entry.get("record_sha256", "")),
        review_on=str(fields.get("review_on", "")),
        expires_on=str(fields.get("expires_on", "")),
        changes=changes,
        served=served,
        notes=notes,
    )


def file_changes(
    writer: Writer, files: Mapping[str, bytes], replaces: Iterable[str], hidden: frozenset[str]
) -> tuple[FileChange, ...]:
    """Pair each new file with the one that it takes the place of, where there is one."""
    gone = {stem(name): name for name in replaces}
    changes = []
    for name, data in files.items():
        was = gone.pop(stem(name), None)
        before = _read(writer, was or name)
        if was is None and before == data:
            continue
        is_hidden = bool({was, name} & hidden)
        changes.append(FileChange(was=was, name=name, before=before if was else b"", after=data, is_hidden=is_hidden))
    for name in gone.values():
        is_hidden = name in hidden or name.startswith("seals/")
        changes.append(FileChange(was=name, name=None, before=_read(writer, name), after=b"", is_hidden=is_hidden))
    return tuple(sorted(changes, key=lambda change: change.name or change.was or ""))


def stem(name: str) -> str:
    """Return a name without the digest of its bytes."""
    return name.rsplit(".", 2)[0] if name.count(".") > 1 else name


def _read(writer: Writer, name: str) -> bytes:
    try:
        return writer.store.read(name, _READ_LIMIT)
    except FaultError:
        return b""


def _fields(data: bytes, place: str) -> Mapping[str, object]:
    return wire_record.decode(data, place)[0].fields if data and sha256_hex(data)[:12] in place else {}
