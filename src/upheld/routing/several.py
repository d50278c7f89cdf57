"""Routes over several stores that are mounted at once (a user's own and a project's): which answer counts.

Every store answers for itself. Two that both have something to say are a tie like any other, which nothing in either
store can settle: relations between keys do not reach across stores. Only *the same key twice* can be ranked, where
whoever mounts the stores has said which comes first.
"""

from __future__ import annotations

from upheld.model.route import AMBIGUOUS, MATCH, NONE, UNCHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Choice, Routed

MOST_CHOICES = 5


def merge(routes: tuple[Routed, ...], *, ranked: bool = False) -> Routed:
    """Decide between the answers of several stores.

    Args:
        routes: one answer a store, its choices marked with the store; the first store ranks highest.
        ranked: whether that order settles a key which several stores match.

    Returns:
        ``unchecked`` where any store could not be asked: a match elsewhere may not be the only one.
    """
    if not routes:
        raise ValueError("no store was asked")
    if len(routes) == 1:
        return routes[0]
    whole = routes[0].replace(
        version=None,
        sealed=all(route.sealed for route in routes),
        skipped=tuple(dict.fromkeys(pattern for route in routes for pattern in route.skipped)),
        not_checked=tuple(dict.fromkeys(note for route in routes for note in route.not_checked)),
        notices=tuple(dict.fromkeys(notice for route in routes for notice in route.notices)),
    )
    blind = [route for route in routes if route.outcome == UNCHECKED]
    if blind:
        return whole.replace(outcome=UNCHECKED, why="; ".join(route.why for route in blind), by="", choices=())
    speaking = [route for route in routes if route.outcome != NONE]
    if not speaking:
        return whole
    if len(speaking) == 1 or _is_settled(speaking, ranked=ranked):
        first = speaking[0]
        return whole.replace(outcome=first.outcome, why=first.why, by=first.by, choices=first.choices)
    why = f"{len(speaking)} stores have something for this task"
    return whole.replace(outcome=AMBIGUOUS, why=why, by="", choices=_fairly(speaking))


def _is_settled(speaking: list[Routed], *, ranked: bool) -> bool:
    """Whether all of them match the very same keys, and the order of the stores may decide."""
    return ranked and all(route.outcome == MATCH and route.keys == speaking[0].keys for route in speaking)


def _fairly(speaking: list[Routed]) -> tuple[Choice, ...]:
    """At most ``MOST_CHOICES``, the best of each store before the second of any."""
    turns = range(MOST_CHOICES)
    dealt = [route.choices[turn] for turn in turns for route in speaking if turn < len(route.choices)]
    return tuple(dealt[:MOST_CHOICES])
