"""Is this index at least as new as the one that was accepted, and does it follow from it?

Indexes are ordered by (root version, version). The version is the number of events in the log, so a newer index must
bring the events that lead to it, and they must begin where the accepted log ends (DESIGN section 3).
"""

from __future__ import annotations

from upheld.model.finding import Finding
from upheld.model.names import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from upheld.model.index import Index
    from upheld.model.trusted import Head, Trusted
    from upheld.wire.event import Logged

DELTAS: dict[str, tuple[int, int]] = {
    "init": (0, 0),
    "migrate": (0, 0),
    "remember": (1, 0),
    "correct": (0, 0),
    "review": (0, 0),
    "restore": (0, 0),
    "redact": (0, 0),
    "triggers": (0, 0),
    "trust": (0, 0),
    "seal": (0, 0),
    "retire": (-1, 1),
    "rename": (0, 1),
    "rename-back": (0, 0),
    "unretire": (1, -1),
}
"""How many pointers and retired entries each verb adds.

``unretire`` is a ``restore`` of a retired key; ``rename-back`` is a ``rename`` to a name that this same key once had.
"""


def check_order(state: Trusted, index: Index) -> list[Finding]:
    """Report an index that is older than the accepted one, or contradicts it at the same version."""
    head = state.head
    if head is None or index.version is None or index.root_version is None:
        raise AssertionError("order is judged between a sealed index and an accepted one")
    now, then = (index.root_version, index.version), (head.root_version, head.version)
    if now == then and index.node.sha256 != head.sha256:
        return [Finding(code="RBK002", place=index.node.place, facts=_facts(head, index))]
    if index.root_version < head.root_version or index.version < head.version:
        code = "RBK012" if _is_published(state, index) else "RBK001"
        return [Finding(code=code, place=index.node.place, facts=_facts(head, index))]
    return []


def _is_published(state: Trusted, index: Index) -> bool:
    """Whether this is the published copy, put back over a correction that was not published yet."""
    return state.has_draft and state.published is not None and state.published.sha256 == index.node.sha256


def _facts(head: Head, index: Index) -> tuple[tuple[str, str], ...]:
    return (
        ("accepted", f"version {head.version} under root {head.root_version} ({short(head.sha256)})"),
        ("now", f"version {index.version} under root {index.root_version} ({short(index.node.sha256)})"),
    )


def check_events(state: Trusted, index: Index, events: Iterable[Logged]) -> list[Finding]:
    """Replay the new events onto what was accepted: an unbroken chain to the index's head, and counts that add up.

    Args:
        state: the accepted version.
        index: a newer one, with a good seal.
        events: the events after the accepted version, in order, up to the index's version; fewer where one is missing.
    """
    number = state.head.version if state.head is not None else 0
    head, pointers, retired = state.log_head, state.pointers, state.retired
    for logged in events:
        number += 1
        if logged.number != number or logged.previous != head:
            return [_diverged(state, logged, number, head)]
        delta = DELTAS.get(logged.event.verb)
        if delta is None:
            verb = ascii(logged.event.verb)[1:41]
            return [Finding(code="LOG001", place=_place(number), path="verb", facts=(("verb", verb),))]
        head, pointers, retired = logged.sha256, pointers + delta[0], retired + delta[1]
    if number != index.version:
        facts = (("claims", f"version {index.version}"), ("events up to", str(number)))
        return [Finding(code="RBK011", place=_place(number + 1), facts=facts)]
    if head != index.log_head:
        facts = (("index names", short(index.log_head or "nothing")), ("log ends in", short(head)))
        return [Finding(code="LOG002", place=_place(number), facts=facts)]
    return _check_counts(index, pointers, retired)


def _check_counts(index: Index, pointers: int, retired: int) -> list[Finding]:
    now = index.node.counts
    if now == (pointers, retired):
        return []
    facts: tuple[tuple[str, str], ...] = (
        ("logged", f"{pointers} pointers, {retired} retired"),
        ("now", f"{now[0]} pointers, {now[1]} retired"),
    )
    return [Finding(code="RBK007", place=index.node.place, facts=facts)]


def _diverged(state: Trusted, logged: Logged, number: int, head: str) -> Finding:
    """The first new event must follow from the accepted log; a later one that does not is only a broken log."""
    facts = (("follows", short(logged.previous or "nothing")), ("accepted", short(head or "nothing")))
    is_first = state.head is not None and number == state.head.version + 1 and logged.number == number
    code = "LOG002" if not is_first else "RBK012" if state.has_draft else "RBK002"
    return Finding(code=code, place=_place(number), facts=facts)


def _place(number: int) -> str:
    return f"log/{number:06d}.json"
