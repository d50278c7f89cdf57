"""Every leaf of the index, node by node, with what is wrong on the way. Never more than one path in memory."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.checks.trie import open_child
from upheld.errors import FaultError
from upheld.model.index import Child, Node
from upheld.model.value import Value
from upheld.wire import index as wire
from upheld.wire.index import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from upheld.model.finding import Finding
    from upheld.ports.store import ReadableStore


class Step(Value):
    """One node as a walk met it.

    Attributes:
        place: the node's file.
        node: the node; None where it cannot be read or is not what its parent recorded.
        findings: what is wrong with it, without the keys that it refuses.
        lost: how many pointers stand below a node that cannot be read, by its parent's account.
        above: what is wrong with the nodes above; it refuses every key from here on, as the node's own findings do.
    """

    place: str
    node: Node | None
    findings: tuple[Finding, ...] = ()
    lost: int = 0
    above: tuple[Finding, ...] = ()


class Start(Value):
    """Where a walk begins or goes on: a node that is open, or a child that is not; and what is wrong above it."""

    node: Node | Child
    above: tuple[Finding, ...] = ()


def walk(store: ReadableStore, start: Iterable[Start]) -> Iterator[Step]:
    """Yield every node below and including ``start``, in the order of their prefixes."""
    waiting = list(start)[::-1]
    while waiting:
        step = opened(store, waiting.pop())
        yield step
        waiting += reversed(below(step))


def below(step: Step) -> list[Start]:
    """Return where a walk goes on from a step."""
    if step.node is None or step.node.children is None:
        return []
    above = step.above + step.findings
    return [Start(node=child, above=above) for _, child in sorted(step.node.children.items())]


def opened(store: ReadableStore, start: Start) -> Step:
    """Take one step: open the node and judge it by what its parent recorded."""
    child = start.node
    if isinstance(child, Node):
        return Step(place=child.place, node=child, above=start.above)
    try:
        data = store.read(child.place, wire.MAX_BYTES)
    except FaultError as fault:
        node, findings = None, [finding_of(fault)]
    else:
        node, findings = open_child(child, data)
    lost = child.pointers if node is None else 0
    return Step(place=child.place, node=node, findings=tuple(findings), lost=lost, above=start.above)


def keys_of(node: Node) -> tuple[str, ...]:
    """Return the keys of a leaf's pointers, as far as they can be read."""
    return tuple(key for entry in node.entries if (key := key_of(entry)) is not None)
