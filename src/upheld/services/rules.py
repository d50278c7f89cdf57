"""From a verified pointer to its rule: the sentence, the structured trigger, and the examples that its digest binds."""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.names import short
from upheld.model.route import Rule
from upheld.wire.digest import sha256_hex
from upheld.wire.examples import MAX_BYTES, Examples, decode, place_of
from upheld.wire.trigger import decode_trigger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.index import Pointer
    from upheld.ports.store import ReadableStore


def rule_of(store: ReadableStore, pointer: Pointer) -> Rule:
    """Return the rule of one pointer. Whatever of its trigger cannot be read makes the rule a broken one."""
    trigger, faults = decode_trigger(pointer.trigger, pointer.place, f"{pointer.path}.trigger")
    examples, more = examples_of(store, pointer)
    wrong = (*faults, *more)
    return Rule(
        key=pointer.key,
        read_when=pointer.read_when,
        trigger=trigger,
        fires=examples.fires,
        nots=examples.nots,
        broken=str(wrong[0]) if wrong else "",
    )


def examples_of(store: ReadableStore, pointer: Pointer) -> tuple[Examples, tuple[FaultError, ...]]:
    """Read the examples of a pointer, and every fault of their file; none where the pointer binds no file."""
    digest = pointer.trigger_sha256
    if digest is None:
        return Examples(), ()
    place = place_of(pointer.key, digest)
    try:
        data = store.read(place, MAX_BYTES)
        now = sha256_hex(data)
        if now != digest:
            raise FaultError("HSH005", place, detail=f"recorded {short(digest)}, now {short(now)}")
        return decode(data, place), ()
    except FaultError as fault:
        return Examples(), (fault,)
