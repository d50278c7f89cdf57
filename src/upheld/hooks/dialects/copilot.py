"""Copilot CLI, camelCase events: a flat object. The nested form does nothing there."""

from __future__ import annotations

from upheld.hooks.asked import BEFORE_TOOL, EVENTS
from upheld.hooks.dialect import Dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Said


def _encode(event: str, said: Said) -> dict[str, object] | None:
    stop = said.deny or said.block
    if stop and event == BEFORE_TOOL:
        return {"permissionDecision": "deny", "permissionDecisionReason": stop}
    return {"additionalContext": said.context or stop} if said.context or stop else None


DIALECT = Dialect(name="copilot", injects=frozenset(EVENTS), encode=_encode)
