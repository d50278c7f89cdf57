"""Find a version of a key, read its text, and change what stands below the newest record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.checks.sources import MAX_BYTES
from upheld.errors import FaultError, UsageError
from upheld.model.chain import Chain, Member
from upheld.model.record import Record
from upheld.model.value import Value
from upheld.ports.store import ReadableStore
from upheld.services.versions import ordered
from upheld.wire import record as wire
from upheld.wire.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Recover

MIN_PREFIX = 4


def records(chain: Chain) -> tuple[Record, ...]:
    """Return the records of a sound chain of ours, newest first."""
    return tuple(member.record for member in chain.members if member.record is not None)


def number_of(chain: Chain, record_id: str) -> int:
    """Return which version a record is, counted from 1."""
    ids = [record.id for record in records(chain)]
    return len(ids) - ids.index(record_id)


def find_version(chain: Chain, wanted: str) -> Record:
    """Return the version that is meant by a number, a record id, or the beginning of a digest.

    Raises:
        UsageError: no version is meant, or more than one.
    """
    found = records(chain)
    if wanted.isascii() and wanted.isdigit() and 0 < int(wanted) <= len(found):
        return found[-int(wanted)]
    exact = [record for record in found if record.id == wanted]
    if not exact and len(wanted) >= MIN_PREFIX:
        exact = [r for r in found if r.sha256.startswith(wanted) or r.source_sha256.startswith(wanted)]
    if len(exact) == 1:
        return exact[0]
    listed = ", ".join(f"{len(found) - at} ({record.id})" for at, record in enumerate(found[:8]))
    raise UsageError(
        f"`{chain.key}` has {'more than one version' if exact else 'no version'} {wanted!r:.80}",
        help=f"a number, a record id, or {MIN_PREFIX} or more digits of a digest: {listed}",
    )


def text_of(store: ReadableStore, record: Record, recover: Recover) -> bytes | None:
    """Return the bytes of a version's source, from the store or from history; None where they are lost."""
    try:
        data: bytes | None = store.read(record.durable_source, MAX_BYTES)
    except FaultError:
        data = None
    if data is None or sha256_hex(data) != record.source_sha256:
        data = recover(record.durable_source, record.source_sha256)
    return data if data is not None and sha256_hex(data) == record.source_sha256 else None


class Rewritten(Value):
    """A chain with changes below its newest record: each digest recomputed upward.

    Attributes:
        records: as they will stand, newest first.
        files: the new record files. replaces: names that nothing names any more, records and sources.
    """

    records: tuple[Record, ...]
    files: Mapping[str, bytes]
    replaces: tuple[str, ...]


def rewritten(chain: Chain, edits: Mapping[str, Mapping[str, object]]) -> Rewritten:
    """Change fields of some records, and of every record above them the digest of its predecessor.

    Args:
        chain: a sound chain of ours.
        edits: fields by record id; None takes a field away.
    """
    made: list[Record] = []
    files: dict[str, bytes] = {}
    below: str | None = None
    for old in reversed(records(chain)):
        new = _edited(old, edits.get(old.id, {}), below)
        below = new.sha256 if new is not old else None
        if new is not old:
            files[new.place] = new.raw
        made.append(new)
    was = {name for record in records(chain) for name in (record.place, record.durable_source)}
    now = {name for record in made for name in (record.place, record.durable_source)}
    return Rewritten(records=tuple(reversed(made)), files=files, replaces=tuple(sorted(was - now)))


def _edited(old: Record, edits: Mapping[str, object], below: str | None) -> Record:
    if not edits and below is None:
        return old
    fields = {**old.fields, **edits, **({"supersedes_sha256": below} if below is not None else {})}
    data = wire.encode(ordered(fields))
    new, faults = wire.decode(data, f"records/{old.id}.{sha256_hex(data)[:12]}.json")
    if faults:
        raise faults[0]
    return new


def sharing(members: Iterable[Member], place: str) -> list[str]:
    """Return the ids of the records whose source is ``place``."""
    return [m.record.id for m in members if m.record is not None and m.record.durable_source == place]
