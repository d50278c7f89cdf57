"""Every entry of a store, one leaf at a time, with what cannot be read on the way."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.checks.finding_of import finding_of
from upheld.model.finding import Finding
from upheld.model.index import Pointer, Retired
from upheld.services.base import Base
from upheld.services.leaves import Start, Step, walk
from upheld.wire import index as wire


def steps(base: Base) -> Iterator[Step]:
    """Yield every node of the index."""
    return walk(base.store, [Start(node=base.index.node)])


def entries(base: Base) -> Iterator[tuple[Pointer | Retired | None, list[Finding]]]:
    """Yield every pointer and retired entry, or what keeps one (or a whole leaf) from being read."""
    for step in steps(base):
        if step.findings:
            yield None, list(step.findings)
        if step.node is None or step.node.children is not None:
            continue
        for number, raw in enumerate(step.node.entries):
            pointer, faults = wire.decode_pointer(raw, step.place, number)
            yield (None if faults else pointer), [finding_of(fault, *_key(pointer.key)) for fault in faults]
        for number, raw in enumerate(step.node.retired):
            retired, faults = wire.decode_retired(raw, step.place, number)
            yield (None if faults else retired), [finding_of(fault, *_key(retired.key)) for fault in faults]


def pointers(base: Base) -> Iterator[Pointer]:
    """Yield every pointer that can be read."""
    return (entry for entry, _ in entries(base) if isinstance(entry, Pointer))


def all_keys(base: Base) -> list[str]:
    """Return every key that a pointer or a retired entry has, as far as it can be read."""
    leaves = (step.node for step in steps(base) if step.node is not None and step.node.children is None)
    found = (wire.key_of(entry) for leaf in leaves for entry in (*leaf.entries, *leaf.retired))
    return [key for key in found if key is not None]


def _key(key: str) -> tuple[str, ...]:
    return (key,) if key else ()
