"""before-tool: what governs the tool call at hand, by path, tool and command; and the calls that no agent may make."""

from __future__ import annotations

import os

from upheld.compose.at_hand import relative
from upheld.compose.state import config_root, state_root
from upheld.hooks.asked import Said
from upheld.hooks.protected import Protected, may_concern
from upheld.hooks.served import of_route
from upheld.hooks.tool_input import commands_of, is_writing, paths_of
from upheld.render import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.compose.library import Memory
    from upheld.hooks.asked import Asked


DENIED = "POL063"


def denial(asked: Asked, memory: Memory | None) -> Said | None:
    """Deny what no agent may do; None for everything else. The same whether or not a store is near."""
    commands = commands_of(asked.given)
    paths = paths_of(asked.given) if is_writing(asked.tool, asked.given) else ()
    if not commands and not paths:
        return None
    own = [state_root(os.environ), config_root(os.environ), *([memory.path] if memory is not None else [])]
    folders = dict.fromkeys(path for folder in own for path in (folder, os.path.realpath(folder)))
    protected = Protected(folders=tuple(folders))
    here = asked.cwd or (asked.folders[-1] if asked.folders else os.sep)
    reasons = [_why(command, here, protected) for command in commands if may_concern(command, protected)]
    reasons += [f"{path[:200]} is in a folder that only Upheld writes" for path in paths if protected.holds(path, here)]
    why = next((reason for reason in reasons if reason), "")
    return Said(deny=wording.denied(DENIED, why), outcome="denied", code=DENIED) if why else None


def _why(command: str, here: str, protected: Protected) -> str:
    from upheld.hooks.guard import why_denied  # deferred: hardly a command is about us

    return why_denied(command, here, protected)


def answer(asked: Asked, memory: Memory, given_before: Callable[[str, str], bool]) -> Said:
    """Give what the structured triggers name; silent where nothing governs the call."""
    top = os.path.dirname(memory.path)
    here = asked.cwd or top
    paths = tuple(relative(path, here, top) for path in paths_of(asked.given))
    routed = memory.route("", paths=paths, tools=(asked.tool,), commands=commands_of(asked.given), load=True)
    return of_route(routed, given_before=given_before) or Said(outcome="none")
