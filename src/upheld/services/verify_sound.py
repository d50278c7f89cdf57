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
from upheld.wire import index as wire_index
from upheld.wire import record as wire_record
from upheld.wire import text as wire_text
from upheld.wire.strictjson import parse

if TYPE_CHECKING:
    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Tally

_MOST_WINDOWS = 4096


class _UnusualError(Exception):
    """The general steps decide."""


class SoundChains:
    """Settles the sound pointers of closed stores.

    Args:
        store: where to read.
        as_of: the day to judge dates by.
        tally: what a settled pointer is counted in.
    """

    def __init__(self, store: ReadableStore, as_of: str, tally: Tally) -> None:
        self._read = store.read
        self._as_of = as_of
        self._tally = tally
        self._current_windows: set[tuple[Any, ...]] = set()
        self._past_windows: set[tuple[Any, ...]] = set()

    def settle(self, entry: object) -> bool:
        """Whether the entry's whole chain is sound; if so it has been counted, else nothing has happened."""
        try:
            names = self._chain(entry)
        except (_UnusualError, FaultError, TypeError):  # TypeError: a date that is an array cannot be looked up
            return False
        tally = self._tally
        tally.named.extend(map(hash, names))
        tally.records += len(names) // 2
        tally.sources += len(names) // 2
        return True

    def _chain(self, entry: object) -> list[str]:
        """Return the names of every record and source of a sound chain."""
        if type(entry) is not dict:
            raise _UnusualError
        get = entry.get
        key, target, wanted = get("key"), get("target"), get("record_id")
        if type(key) is not str or type(target) is not str or type(wanted) is not str or not key:
            raise _UnusualError
        if get("trigger_sha256") is not None or not wire_index.is_record_name(target):
            raise _UnusualError
        if not _is_text(get("read_when")) or (get("trigger") is not None and type(get("trigger")) is not dict):
            raise _UnusualError
        record = self._record(target, get("record_sha256"), wanted)
        get = record.get
        if get("status") != "current" or get("superseded_by") is not None or get("key") not in (None, key):
            raise _UnusualError
        self._window(record, self._current_windows, is_current=True)
        names = [target, self._source(record, is_current=True)]
        if get("supersedes") is not None or get("supersedes_sha256") is not None:
            names += self._past(record)
        return names

    def _past(self, record: dict[str, Any]) -> list[str]:
        names: list[str] = []
        seen = {record["id"]}
        while (before := record.get("supersedes")) is not None:
            digest = record.get("supersedes_sha256")
            if type(before) is not str or type(digest) is not str or before in seen:
                raise _UnusualError
            seen.add(before)
            place = f"records/{before}.{digest[:12]}.json"
            older = self._record(place, digest, before)
            _need(older.get("status") == "superseded" and older.get("superseded_by") == record["id"])
            _need(_is_text(older.get("key")))
            self._window(older, self._past_windows, is_current=False)
            names += (place, self._source(older, is_current=False))
            record = older
        _need(record.get("supersedes_sha256") is None)
        return names

    def _record(self, place: str, digest: object, wanted: str) -> dict[str, Any]:
        """Read one record at its digest and look at what every record must have."""
        data = self._read(place, wire_record.MAX_BYTES)
        if sha256(data).hexdigest() != digest:
            raise _UnusualError
        record = parse(data, place, limit=wire_record.MAX_BYTES)
        get = record.get
        if not wanted or get("id") != wanted or get("bound_source") is not None:
            raise _UnusualError
        if not (
            _is_text(get("change_reason"))
            and _is_text(get("owner"))
            and _is_text(get("evidence"))
            and _is_text(get("reviewed_by"))
        ):
            raise _UnusualError
        return record

    def _source(self, record: dict[str, Any], *, is_current: bool) -> str:
        place = record.get("durable_source")
        if type(place) is not str:
            raise _UnusualError
        data = self._read(place, MAX_SOURCE)
        if sha256(data).hexdigest() != record.get("source_sha256"):
            raise _UnusualError
        if is_current:
            text = wire_text.decode(data, place)
            if not text.replace("\n", "").isprintable() and wire_text.forbidden(text):
                raise _UnusualError
            if not instruction(text):
                raise _UnusualError
        return place

    def _window(self, record: dict[str, Any], sound: set[tuple[Any, ...]], *, is_current: bool) -> None:
        """Judge the four dates; few stores hold more than some hundred different sets of them."""
        get = record.get
        window: tuple[Any, ...] = (get("recorded_on"), get("last_verified"), get("review_on"), get("expires_on"))
        if window in sound:
            return
        recorded, verified, review, expires = window
        _need(is_day(review) and is_day(expires) and review < expires)
        _need(recorded is None or (is_day(recorded) and recorded <= self._as_of))
        _need(verified is None or (is_day(verified) and verified <= self._as_of and verified < review))
        _need(recorded is None or (recorded <= verified if verified is not None else recorded < review))
        _need(not is_current or self._as_of < review)
        if len(sound) < _MOST_WINDOWS:
            sound.add(window)


def _need(condition: object) -> None:
    if not condition:
        raise _UnusualError


def _is_text(value: object) -> bool:
    return value is None or type(value) is str
