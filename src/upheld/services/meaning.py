"""What a change that is worked out means for what is served: texts, triggers and dates, key by key."""

from __future__ import annotations

from collections.abc import Mapping

from upheld.errors import FaultError
from upheld.model.change import Change
from upheld.model.index import Pointer
from upheld.model.written import Served
from upheld.services.base import Base
from upheld.services.current_instruction import examples_held, read_instruction
from upheld.services.screening import strings_in
from upheld.wire import examples as wire_examples
from upheld.wire import record as wire_record

_MOST = 100


def meaning(base: Base, change: Change, *, hides: bool = False) -> tuple[Served, ...]:
    """Say what a change means, for the first hundred keys that it touches.

    Args:
        base: the version that it was made from.
        change: what it does.
        hides: texts of today are not shown: they may be what is to be got rid of.
    """
    keys = list(dict.fromkeys((*change.entries, *change.retired)))[:_MOST]
    return tuple(_served(base, change, key, hides) for key in keys)


def _served(base: Base, change: Change, key: str, hides: bool) -> Served:
    pointer = base.pointer(key)
    now = read_instruction(base, pointer) if pointer is not None and not hides else None
    before = now.text if now is not None else ""
    was_read_when = pointer.read_when if pointer is not None else ""
    entry = change.entries.get(key)
    if entry is None:
        retired = change.retired.get(key)
        because = str(_record(change, retired).get("change_reason") or "") if retired is not None else ""
        return Served(key=key, before=before, was_read_when=was_read_when, because=because)
    record = _record(change, entry)
    fires, nots = _examples(base, change, key, entry, pointer)
    held = set(strings_in(pointer.trigger)) if pointer is not None else set()
    return Served(
        key=key,
        before=before,
        after=_text(base, change, record) if record else before,
        read_when=str(entry.get("read_when", "")),
        was_read_when=was_read_when,
        matchers=tuple(text for text in strings_in(entry.get("trigger")) if text not in held),
        fires=fires,
        nots=nots,
        because=str(record.get("change_reason") or ""),
        evidence=str(record.get("evidence") or ""),
        review_on=str(record.get("review_on") or ""),
        expires_on=str(record.get("expires_on") or ""),
    )


def _record(change: Change, entry: Mapping[str, object]) -> Mapping[str, object]:
    target = str(entry.get("target", ""))
    data = change.files.get(target)
    return wire_record.decode(data, target)[0].fields if data is not None else {}


def _text(base: Base, change: Change, record: Mapping[str, object]) -> str:
    name = str(record.get("durable_source", ""))
    data = change.files.get(name)
    if data is None:
        try:
            data = base.store.read(name, _LARGEST)
        except FaultError:
            return ""
    return data.decode("utf-8", "replace")


_LARGEST = 4 * 1024 * 1024


def _examples(
    base: Base, change: Change, key: str, entry: Mapping[str, object], pointer: Pointer | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    place = wire_examples.place_of(key, str(entry.get("trigger_sha256") or ""))
    data = change.files.get(place)
    if data is None:
        return (), ()
    try:
        now = wire_examples.decode(data, place)
    except FaultError:
        return (), ()
    held = examples_held(base, pointer) if pointer is not None else wire_examples.Examples()
    return (
        tuple(text for text in now.fires if text not in held.fires),
        tuple(text for text in now.nots if text not in held.nots),
    )
