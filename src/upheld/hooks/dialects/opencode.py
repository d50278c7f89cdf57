"""opencode: its hooks are JavaScript that runs us, so the form is our own: ``context``, ``deny`` or ``block``."""

from __future__ import annotations

from upheld.hooks.asked import EVENTS
from upheld.hooks.dialect import Dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Said


def _encode(_event: str, said: Said) -> dict[str, object] | None:
    made: dict[str, object] = {
        name: text for name, text in (("context", said.context), ("deny", said.deny), ("block", said.block)) if text
    }
    return made or None


DIALECT = Dialect(name="opencode", injects=frozenset(EVENTS), encode=_encode)
