"""What a session opens with: the keys of the store and, where it is small enough to look, what is due.

On the way of a hook: no import that a recall does not have.
"""

from __future__ import annotations

from upheld.model.answer import Refusal
from upheld.model.index import Node, Pointer
from upheld.model.page import Line
from upheld.model.value import Value
from upheld.services.gather import read_record
from upheld.services.leaves import Start, walk
from upheld.services.snapshot import read_index
from upheld.wire import index as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding
    from upheld.ports.store import ReadableStore
    from upheld.services.recall import Admit

MOST_LOOKED_AT = 500
"""Records that are read to find what is due: some 30 ms."""


class Opening(Value):
    """An admitted store at the start of a session.

    Attributes:
        lines: its first keys, in the order of the index.
        total: how many there are.
        due: keys whose review is due or that have expired, sorted; None where the store is too large to look here.
        damaged: parts of the index that cannot be read.
    """

    lines: tuple[Line, ...]
    total: int
    due: tuple[str, ...] | None
    damaged: tuple[Finding, ...]
    sealed: bool
    version: int | None
    notices: tuple[Finding, ...]


def session_opening(store: ReadableStore, *, today: str, admit: Admit, most: int) -> Opening | Refusal:
    """Read as much of the index as a session needs.

    Args:
        store: the store.
        today: the day, UTC.
        admit: decides whether this index may be used at all.
        most: how many keys to list.

    Raises:
        FaultError: the index cannot be read.
    """
    data, index = read_index(store)
    admission = admit(data, index)
    if admission.refusals:
        return Refusal(key="", findings=admission.refusals, as_of=today)
    total = index.node.counts[0]
    lines: list[Line] = []
    due: list[str] = []
    damaged: list[Finding] = []
    for step in walk(store, [Start(node=index.node)]):
        damaged += step.findings
        if step.node is None or step.node.children is not None:
            continue
        for pointer, line in _entries(step.node):
            if len(lines) < most:
                lines.append(line)
            if pointer is not None and total <= MOST_LOOKED_AT and _is_due(store, pointer, today):
                due.append(pointer.key)
        if len(lines) >= most and total > MOST_LOOKED_AT:
            break
    return Opening(
        lines=tuple(lines),
        total=total,
        due=tuple(sorted(due)) if total <= MOST_LOOKED_AT else None,
        damaged=tuple(damaged),
        sealed=admission.sealed,
        version=index.version,
        notices=admission.notices,
    )


def _entries(node: Node) -> list[tuple[Pointer | None, Line]]:
    found: list[tuple[Pointer | None, Line]] = []
    for number, entry in enumerate(node.entries):
        pointer, faults = wire.decode_pointer(entry, node.place, number)
        line = Line(key=pointer.key, read_when=pointer.read_when, is_broken=bool(faults))
        found.append((None if faults else pointer, line))
    return found


def _is_due(store: ReadableStore, pointer: Pointer, today: str) -> bool:
    record = read_record(store, pointer.target).record
    if record is None or record.sha256 != pointer.record_sha256:
        return False  # a recall refuses it and says why
    return today >= min(record.review_on, record.expires_on)
