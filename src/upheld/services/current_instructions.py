"""The instructions that a store serves today, for the screen to compare with: all of them, or those that are alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from upheld.errors import StorageError
from upheld.model.draft import CurrentInstruction
from upheld.model.index import Pointer
from upheld.model.value import Value
from upheld.policy.similar import content_words
from upheld.ports.near import Near
from upheld.services.base import Base
from upheld.services.current_instruction import read_instruction
from upheld.services.every_key import pointers, steps
from upheld.services.near import catch_up, likely
from upheld.wire import index as wire

MAX_COMPARED = 32
"""How many texts are read for one comparison; a store of no more is compared with whole."""
MAX_SCANNED = 20_000
"""How many pointers are looked at to choose them where there is no near index."""
MAX_WORDS = 4_000
"""How many characters of a text its neighbours are looked for by, where there is no near index."""


class Wanted(Value):
    """What neighbours are wanted of: the draft's key, its served texts, the statements of its trigger.

    Attributes:
        without: keys that the change itself takes out or replaces.
    """

    key: str
    texts: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()


class Surroundings(Value):
    """What a draft is compared with.

    Attributes:
        instructions: those that were read.
        total: how many the store serves.
        compared: how many of them were looked at, by their words or in full.
        alike: how many looked as if they might be alike; more than were read is said.
    """

    instructions: tuple[CurrentInstruction, ...]
    total: int
    compared: int
    alike: int = 0


def surroundings(base: Base, wanted: Wanted, near: Near | None, late: Callable[[], bool]) -> Surroundings:
    """Choose and read what a draft is compared with.

    A store of up to ``MAX_COMPARED`` instructions is read whole. In a larger one the near index names those that may be
    alike, and they are read; where there is none, the likeliest by key and trigger are. The key's own is always read.

    Args:
        base: the admitted version.
        wanted: what to find neighbours of.
        near: the near index of this place; None where there is none.
        late: whether it is time to stop reading in what the near index does not know yet.
    """
    total, _ = base.index.node.counts
    if total > MAX_COMPARED and near is not None:
        try:
            return _by_index(base, wanted, near, late, total)
        except StorageError:
            pass  # whatever is wrong with a derived file, the comparison goes on without it, and says how far it went
    return _by_scan(base, wanted, total)


def _by_index(base: Base, wanted: Wanted, near: Near, late: Callable[[], bool], total: int) -> Surroundings:
    compared = total if catch_up(base, near, late) else min(total, near.count())
    others = [key for key in likely(near, wanted.texts, wanted.statements) if key != wanted.key]
    found = (base.pointer(key) for key in (wanted.key, *others) if key not in wanted.without)
    chosen = islice((one for one in found if one is not None), MAX_COMPARED)
    return Surroundings(instructions=_read(base, chosen), total=total, compared=compared, alike=len(others))


def _by_scan(base: Base, wanted: Wanted, total: int) -> Surroundings:
    chosen = pointers(base) if total <= MAX_COMPARED else _pointers(_nearest(base, wanted))
    read = _read(base, islice((one for one in chosen if one.key not in wanted.without), MAX_COMPARED))
    return Surroundings(instructions=read, total=total, compared=total if total <= MAX_COMPARED else len(read))


def _read(base: Base, chosen: Iterable[Pointer]) -> tuple[CurrentInstruction, ...]:
    read = (read_instruction(base, pointer) for pointer in chosen)
    return tuple(one for one in read if one is not None)


Raw = tuple[Mapping[str, object], str, int]
"""An entry as it stands in a leaf, the leaf's place, and its position: decoded only where it is chosen."""


def _nearest(base: Base, wanted: Wanted) -> list[Raw]:
    found: list[Raw] = []
    for step in steps(base):
        if step.node is None or step.node.children is not None:
            continue
        found += [(raw, step.place, number) for number, raw in enumerate(step.node.entries) if isinstance(raw, dict)]
        if len(found) >= MAX_SCANNED:
            break
    words = content_words(" ".join((wanted.key, *wanted.statements, *wanted.texts))[:MAX_WORDS])
    return sorted(found[:MAX_SCANNED], key=lambda one: _distance(one[0], wanted.key, words))


def _distance(raw: Mapping[str, object], key: str, words: frozenset[str]) -> tuple[bool, int]:
    """Order entries: the key's own first, then those that share most words with the draft."""
    return raw.get("key") != key, -len(content_words(f"{raw.get('key')} {raw.get('read_when') or ''}") & words)


def _pointers(found: Iterable[Raw]) -> Iterator[Pointer]:
    for raw, place, number in found:
        pointer, faults = wire.decode_pointer(raw, place, number)
        if not faults:
            yield pointer
