"""The instructions that a store serves today, for the screen to compare with: all of them, or the likeliest few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from upheld.model.draft import CurrentInstruction
from upheld.model.index import Pointer
from upheld.model.value import Value
from upheld.policy.similar import content_words
from upheld.services.base import Base
from upheld.services.every_key import steps
from upheld.services.gather import read_record, read_source
from upheld.services.rules import examples_of
from upheld.wire import index as wire
from upheld.wire.examples import Examples

MAX_COMPARED = 300
"""How many texts are read for one comparison."""
MAX_SCANNED = 20_000
"""How many pointers are looked at to choose them."""


class Surroundings(Value):
    """What a draft is compared with: the instructions read, and how many pointers were looked at and are there."""

    instructions: tuple[CurrentInstruction, ...]
    scanned: int
    total: int


def surroundings(base: Base, key: str, words: str, *, without: frozenset[str] = frozenset()) -> Surroundings:
    """Choose and read what a draft is compared with.

    Where the store holds more than ``MAX_COMPARED`` pointers, those come first whose key and trigger share most words
    with the draft; the key's own is always among them.

    Args:
        base: the admitted version.
        key: the draft's key.
        words: the draft's texts, to find its neighbours by.
        without: keys that the change itself takes out.
    """
    found = _scan(base)
    if len(found) > MAX_COMPARED:
        wanted = content_words(words)
        found.sort(key=lambda one: _distance(one[0], key, wanted))
    total, _ = base.index.node.counts
    chosen = islice((one for one in _pointers(found) if one.key not in without), MAX_COMPARED)
    read = (_read(base, pointer) for pointer in chosen)
    return Surroundings(instructions=tuple(one for one in read if one is not None), scanned=len(found), total=total)


Raw = tuple[Mapping[str, object], str, int]
"""An entry as it stands in a leaf, the leaf's place, and its position: decoded only where it is chosen."""


def _scan(base: Base) -> list[Raw]:
    found: list[Raw] = []
    for step in steps(base):
        if step.node is None or step.node.children is not None:
            continue
        found += [(raw, step.place, number) for number, raw in enumerate(step.node.entries) if isinstance(raw, dict)]
        if len(found) >= MAX_SCANNED:
            break
    return found[:MAX_SCANNED]


def _distance(raw: Mapping[str, object], key: str, wanted: frozenset[str]) -> tuple[bool, int]:
    """Order entries: the key's own first, then those that share most words with the draft."""
    return raw.get("key") != key, -len(content_words(f"{raw.get('key')} {raw.get('read_when') or ''}") & wanted)


def _pointers(found: Iterable[Raw]) -> Iterator[Pointer]:
    for raw, place, number in found:
        pointer, faults = wire.decode_pointer(raw, place, number)
        if not faults:
            yield pointer


def _read(base: Base, pointer: Pointer) -> CurrentInstruction | None:
    """Read one instruction; what is not the recorded bytes is not served, so nothing is compared with it."""
    member = read_record(base.store, pointer.target)
    record = member.record
    if record is None or member.faults or record.sha256 != pointer.record_sha256:
        return None
    source = read_source(base.store.read, record.durable_source)
    if source.data is None or source.sha256 != record.source_sha256:
        return None
    text = source.data.decode("utf-8", "replace")
    return CurrentInstruction(key=pointer.key, text=text, read_when=pointer.read_when, fires=_fires(base, pointer))


def examples_held(base: Base, pointer: Pointer) -> Examples:
    """Return a pointer's examples; none where they cannot be read (``verify`` reports that)."""
    examples, _ = examples_of(base.store, pointer)
    return examples


def _fires(base: Base, pointer: Pointer) -> tuple[str, ...]:
    return examples_held(base, pointer).fires
