"""The short way for what is sound: most chains of a store are, and each of them is told in two reads and two digests.

``settle`` says yes only where steps 2 to 8 would find nothing; whatever is unusual (a fault, a bound source, a trigger
file, a date that is due, a field of an unexpected type) it leaves to them, and nothing it did is kept. A test holds the
two to equal tallies over spoilt stores.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from upheld.checks.instruction import instruction
from upheld.checks.sources import MAX_BYTES as MAX_SOURCE
from upheld.errors import FaultError
from upheld.model.day import is_day
from upheld.ports.store import ReadsFolders
from upheld.wire import text as wire_text
from upheld.wire.record import MAX_BYTES as MAX_RECORD
from upheld.wire.strictjson import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Tally

    Reader = Callable[[str], bytes | None]
    Window = tuple[Any, Any, Any, Any]

_TEXT = frozenset([str, type(None)])
_MOST_WINDOWS = 4096


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
        self._ordered: set[Window] = set()

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

    def _chain(self, entry: Any) -> list[str] | None:
        """Return the names of every record and source of a sound chain; None where the general steps decide."""
        if type(entry) is not dict:
            return None
        get = entry.get
        key, target, wanted = get("key"), get("target"), get("record_id")
        if type(key) is not str or type(target) is not str or type(wanted) is not str or not key:
            return None
        if get("trigger_sha256") is not None or not _is_text(get("read_when")):
            return None
        if get("trigger") is not None:
            return None
        record = self._record(target, get("record_sha256"), wanted)
        if record is None:
            return None
        get = record.get
        if get("status") != "current" or get("superseded_by") is not None or get("key") not in (None, key):
            return None
        if not self._is_timely(record, is_current=True):
            return None
        source = self._source(record, is_current=True)
        if source is None:
            return None
        if get("supersedes") is None and get("supersedes_sha256") is None:
            return [target, source]
        past = self._past(record)
        return None if past is None else [target, source, *past]

    def _past(self, record: dict[str, Any]) -> list[str] | None:
        """Return the names of every record and source that a current record came after."""
        names: list[str] = []
        seen = {record["id"]}
        while (before := record.get("supersedes")) is not None:
            digest = record.get("supersedes_sha256")
            if type(before) is not str or type(digest) is not str or before in seen:
                return None
            seen.add(before)
            place = f"records/{before}.{digest[:12]}.json"
            older = self._record(place, digest, before)
            if older is None or older.get("status") != "superseded" or older.get("superseded_by") != record["id"]:
                return None
            if not _is_text(older.get("key")) or not self._is_timely(older, is_current=False):
                return None
            source = self._source(older, is_current=False)
            if source is None:
                return None
            names += (place, source)
            record = older
        return names if record.get("supersedes_sha256") is None else None

    def _record(self, place: str, digest: object, wanted: str) -> dict[str, Any] | None:
        """Read one record at its digest and look at what every record must have."""
        if place[:8] != "records/" or place[-5:] != ".json":
            return None
        data = self._read_record(place[8:])
        if data is None or sha256(data).hexdigest() != digest:
            return None
        try:
            record = parse(data, place, limit=MAX_RECORD)
        except FaultError:
            return None
        get = record.get
        if not wanted or get("id") != wanted or get("bound_source") is not None:
            return None
        others = {type(get("change_reason")), type(get("owner")), type(get("evidence")), type(get("reviewed_by"))}
        return record if others <= _TEXT else None

    def _source(self, record: dict[str, Any], *, is_current: bool) -> str | None:
        """Read the source of a record at its digest, and return its name."""
        place = record.get("durable_source")
        if type(place) is not str or place[:8] != "sources/":
            return None
        data = self._read_source(place[8:])
        if data is None or sha256(data).hexdigest() != record.get("source_sha256"):
            return None
        return place if not is_current or _can_be_served(data, place) else None

    def _is_timely(self, record: dict[str, Any], *, is_current: bool) -> bool:
        """Judge the four dates; few stores hold more than some hundred different sets of them."""
        get = record.get
        window: Window = (get("recorded_on"), get("last_verified"), get("review_on"), get("expires_on"))
        try:
            if window not in self._ordered:
                if not _is_ordered(*window, self._as_of):
                    return False
                if len(self._ordered) < _MOST_WINDOWS:
                    self._ordered.add(window)
        except TypeError:  # a date that is an array or an object
            return False
        return not is_current or self._as_of < window[2]


def _is_ordered(recorded: Any, verified: Any, review: Any, expires: Any, as_of: str) -> bool:
    if not (is_day(review) and is_day(expires) and review < expires):
        return False
    if verified is not None and not (is_day(verified) and verified <= as_of and verified < review):
        return False
    if recorded is None:
        return True
    return is_day(recorded) and recorded <= as_of and (recorded <= verified if verified else recorded < review)


def _can_be_served(data: bytes, place: str) -> bool:
    if data.isascii():
        text = data.decode("ascii")
        if text.replace("\n", "").isprintable():
            return instruction(text) is not None
    try:
        text = wire_text.decode(data, place)
    except FaultError:
        return False
    return not wire_text.forbidden(text) and instruction(text) is not None


def _is_text(value: object) -> bool:
    return value is None or type(value) is str


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
