"""The short way for what is sound: most chains of a store are, and each of them is told in two reads and two digests.

``settle`` says yes only where steps 2 to 8 would find nothing; whatever is unusual (a fault, a bound source, a trigger
file, a date that is due, a field of an unexpected type) it leaves to them, and nothing it did is kept. A test holds the
two to equal tallies over spoilt stores. docs/adr/0009-verify-at-scale.md says what was slow.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from upheld.checks.instruction import instruction
from upheld.checks.sources import MAX_BYTES as MAX_SOURCE
from upheld.errors import FaultError
from upheld.model.day import is_day
from upheld.ports.store import ReadsFolders
from upheld.wire import text as wire_text
from upheld.wire.record import MAX_BYTES as MAX_RECORD
from upheld.wire.record_forms import RecordForms
from upheld.wire.strictjson import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Tally

    Reader = Callable[[str], bytes | None]
    Row = tuple[Any, ...]

_FIELDS = (
    "id",
    "status",
    "superseded_by",
    "key",
    "supersedes",
    "supersedes_sha256",
    "durable_source",
    "source_sha256",
    "recorded_on",
    "last_verified",
    "review_on",
    "expires_on",
)
_TEXTS = ("change_reason", "owner", "evidence", "reviewed_by")
"""Fields that say nothing to a verification but must be text where they stand."""
_TEXT = frozenset([str, type(None)])
_MOST_WINDOWS = 4096
_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
_LINE = re.compile(rb"(?m)^ *[^ #\n]").search
"""In text of ``_PLAIN`` bytes only: what ``checks.instruction`` takes for the start of an instruction."""


class SoundChains:
    """Settles the sound pointers of closed stores.

    Args:
        store: where to read.
        as_of: the day to judge dates by.
        tally: what a settled pointer is counted in.
    """

    def __init__(self, store: ReadableStore, as_of: str, tally: Tally) -> None:
        self._read_record = _reader(store, "records", MAX_RECORD)
        self._read_source = _reader(store, "sources", MAX_SOURCE)
        self._as_of = as_of
        self._tally = tally
        self._ordered: set[Row] = set()
        self._forms = RecordForms(_FIELDS)

    def settle(self, entries: Iterable[object]) -> list[int]:
        """Count the entries whose whole chain is sound, and return the positions of the others, which left no trace."""
        chain, names, unusual = self._chain, list[str](), []
        for number, entry in enumerate(entries):
            found = chain(entry)
            if found is None:
                unusual.append(number)
            else:
                names += found
        tally = self._tally
        tally.named.extend(map(hash, names))
        tally.records += len(names) // 2
        tally.sources += len(names) // 2
        return unusual

    def _chain(self, entry: Any) -> tuple[str, ...] | None:
        """Return the names of every record and source of a sound chain; None where the general steps decide."""
        if type(entry) is not dict:
            return None
        get = entry.get
        key, target, wanted = get("key"), get("target"), get("record_id")
        if type(key) is not str or type(target) is not str or type(wanted) is not str or not key:
            return None
        if get("trigger_sha256") is not None or type(get("read_when")) not in _TEXT:
            return None
        if get("trigger") is not None and type(get("trigger")) is not dict:
            return None
        row = self._record(target, get("record_sha256"), wanted)
        if row is None:
            return None
        _, status, after, owned, before, before_digest, source, digest = row[:8]
        window = row[8:]
        if status != "current" or after is not None or (owned is not None and owned != key):
            return None
        if not self._is_timely(window) or not self._as_of < window[2]:
            return None
        data = self._source(source, digest)
        if data is None or not _can_be_served(data, source):
            return None
        if before is None and before_digest is None:
            return target, source
        past = self._past(row)
        return None if past is None else (target, source, *past)

    def _past(self, row: Row) -> list[str] | None:
        """Return the names of every record and source that a current record came after."""
        names: list[str] = []
        newer, before, digest = row[0], row[4], row[5]
        seen = {newer}
        while before is not None:
            if type(before) is not str or type(digest) is not str or before in seen:
                return None
            seen.add(before)
            place = f"records/{before}.{digest[:12]}.json"
            older = self._record(place, digest, before)
            if older is None:
                return None
            source = older[6]
            if older[1] != "superseded" or older[2] != newer or not self._is_timely(older[8:]):
                return None
            if self._source(source, older[7]) is None:
                return None
            names += (place, source)
            newer, before, digest = before, older[4], older[5]
        return names if digest is None else None

    def _record(self, place: str, digest: object, wanted: str) -> Row | None:
        """Read one record at its digest, and return ``_FIELDS`` of it if it has what every record must have."""
        if place[:8] != "records/" or place[-5:] != ".json":
            return None
        data = self._read_record(place[8:])
        if data is None or sha256(data).hexdigest() != digest:
            return None
        row = self._forms.read(data) or self._parsed(data, place)
        return row if row is not None and wanted and row[0] == wanted else None

    def _parsed(self, data: bytes, place: str) -> Row | None:
        """Read a record of a form that was not met before."""
        try:
            fields = parse(data, place, limit=MAX_RECORD)
        except FaultError:
            return None
        get = fields.get
        if get("bound_source") is not None or not {type(get(name)) for name in _TEXTS} <= _TEXT:
            return None
        row = tuple(get(name) for name in _FIELDS)
        if not {type(value) for value in row} <= _TEXT:
            return None
        self._forms.learn(data, fields)
        return row

    def _source(self, place: str | None, digest: str | None) -> bytes | None:
        """Read a source at its digest."""
        if place is None or place[:8] != "sources/":
            return None
        data = self._read_source(place[8:])
        return data if data is not None and sha256(data).hexdigest() == digest else None

    def _is_timely(self, window: Row) -> bool:
        """Judge the order of the four dates; few stores hold more than some hundred different sets of them."""
        if window in self._ordered:
            return True
        if not _is_ordered(window, self._as_of):
            return False
        if len(self._ordered) < _MOST_WINDOWS:
            self._ordered.add(window)
        return True


def _is_ordered(window: Row, as_of: str) -> bool:
    recorded, verified, review, expires = window
    if not (is_day(review) and is_day(expires) and review < expires):
        return False
    if verified is not None and not (is_day(verified) and verified <= as_of and verified < review):
        return False
    if recorded is None:
        return True
    return is_day(recorded) and recorded <= as_of and (recorded <= verified if verified else recorded < review)


def _can_be_served(data: bytes, place: str) -> bool:
    if not data.translate(None, _PLAIN):
        return _LINE(data) is not None
    try:
        text = wire_text.decode(data, place)
    except FaultError:
        return False
    return not wire_text.forbidden(text) and instruction(text) is not None


def _reader(store: ReadableStore, folder: str, limit: int) -> Reader:
    """Return what reads files of one folder, None where anything is wrong with one."""
    if isinstance(store, ReadsFolders):
        return store.reader(folder, limit)

    def read(leaf: str) -> bytes | None:
        try:
            return store.read(f"{folder}/{leaf}", limit) if "/" not in leaf else None
        except FaultError:
            return None

    return read
