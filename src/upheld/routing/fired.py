"""Which keys a task fires, for those who write: a match, or several that state or match it; no guess by score."""

from __future__ import annotations

from upheld.model.route import AMBIGUOUS, MATCH, UNCHECKED, Rule, Task
from upheld.routing.build import build
from upheld.routing.index import Index
from upheld.routing.router import open_index, route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.route import Route

_GUESSED = "score "


def fired(answer: Route) -> tuple[str, ...]:
    """Return the keys of a match, and those that an ambiguous route has by a matcher or a statement."""
    if answer.outcome not in (MATCH, AMBIGUOUS):
        return ()
    is_match = answer.outcome == MATCH
    return tuple(choice.key for choice in answer.choices if is_match or not choice.why.startswith(_GUESSED))


def firing(index: Index) -> Callable[[str], tuple[str, ...] | None]:
    """Return what says which keys a task, given in words, fires in an open route index; None where it is damaged."""

    def fires(text: str) -> tuple[str, ...] | None:
        answer = route(Task(text=text), index)
        return None if answer.outcome == UNCHECKED else fired(answer)

    return fires


def trial(rules: tuple[Rule, ...]) -> Callable[[str], tuple[str, ...]] | None:
    """Return the same for a few rules alone: what matchers and statements decide, scores do not.

    None where the rules cannot be made into an index; then nothing is known.
    """
    opened = open_index(build(rules), whole=False)
    if not isinstance(opened, Index):
        return None
    fires = firing(opened)
    return lambda text: fires(text) or ()
