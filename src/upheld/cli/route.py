"""The route command, without the command framework."""

from __future__ import annotations

from upheld.cli.output import write
from upheld.compose.library import open
from upheld.model.answer import Answer, Refusal
from upheld.model.route import AMBIGUOUS, UNCHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.cli.cold_route import RouteCall
    from upheld.model.route import Routed


def run(call: RouteCall) -> int:
    """Route one task, print the outcome, return the exit code.

    0 for a match and for none: both are answers. 4 where nothing may be loaded before somebody chooses, or a store or
    a key is refused. 3 where there was nothing to route with.

    Raises:
        UpheldError: as the tree in ``upheld.errors`` says.
    """
    how: dict[str, Any] = {"unsealed": call.unsealed, "as_of": call.as_of, "pin": call.pin}
    at_hand: dict[str, Any] = {"paths": call.paths, "tools": call.tools, "commands": call.commands, "load": call.load}
    if call.semantic:
        from upheld.compose.semantic import SemanticRouter

        at_hand["semantic"] = SemanticRouter.of_this_machine()
    if len(call.stores) < 2:
        memory = open(call.stores[0] if call.stores else None, **how)
        outcome = memory.route(call.task, **at_hand)
    else:
        from upheld.compose.mounted import route_over

        outcome = route_over(call.stores, call.task, ranked=call.ranked, **at_hand, **how)
    write(outcome, call.format)
    return exit_code(outcome)


def exit_code(outcome: Routed | Refusal) -> int:
    """Return the exit code of a route; see ``run``."""
    if isinstance(outcome, Refusal) or outcome.outcome == AMBIGUOUS:
        return 4
    if outcome.outcome == UNCHECKED:
        return 3
    return 0 if all(isinstance(loaded, Answer) for loaded in outcome.loaded) else 4
