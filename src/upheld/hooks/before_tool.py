"""before-tool: what governs the tool call at hand, by path, tool and command; and the calls that no agent may make."""

from __future__ import annotations

from upheld.hooks import wording
from upheld.hooks.asked import Said
from upheld.hooks.prompt import UNROUTED, refusal
from upheld.hooks.served import load
from upheld.hooks.tool_input import commands_of, paths_of
from upheld.model.answer import Refusal
from upheld.model.route import AMBIGUOUS, MATCH, UNCHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.compose.library import Memory
    from upheld.hooks.asked import Asked


def answer(asked: Asked, memory: Memory, given_before: Callable[[str, str], bool]) -> Said:
    """Give what the structured triggers name; silent where nothing governs the call."""
    import os

    top = os.path.dirname(memory.path)
    here = asked.folders[-1] if asked.folders else top
    paths = tuple(_relative(path, here, top) for path in paths_of(asked.given))
    routed = memory.route("", paths=paths, tools=(asked.tool,), commands=commands_of(asked.given))
    if isinstance(routed, Refusal):
        return refusal(routed)
    if routed.outcome == MATCH:
        return load(memory, routed, given_before=given_before)
    if routed.outcome == AMBIGUOUS:
        keys = tuple(choice.key for choice in routed.choices)
        return Said(context=wording.ambiguous(routed.choices), outcome=AMBIGUOUS, keys=keys)
    if routed.outcome == UNCHECKED:
        return Said(context=wording.fault(UNROUTED), outcome=UNCHECKED, code=UNROUTED)
    return Said(outcome="none")


def _relative(path: str, here: str, top: str) -> str:
    """Name a file as the store's triggers do: from the repository's top, with forward slashes."""
    import os

    whole = os.path.normpath(os.path.join(here, os.path.expanduser(path)))
    real = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    inside = os.path.realpath(top) + os.sep
    for candidate in (whole, real):
        for start in (top + os.sep, inside):
            if candidate.startswith(start):
                return candidate[len(start) :].replace(os.sep, "/")
    return whole.replace(os.sep, "/").lstrip("/")
