"""index: the keys, and when each applies, as far as a budget goes."""

from __future__ import annotations

from upheld.mcp.said import Said, refused
from upheld.model.answer import Refusal
from upheld.model.finding import Finding
from upheld.model.page import Line
from upheld.render.escape import bounded, escape
from upheld.render.text import entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.compose.library import Memory
    from upheld.mcp.desk import Caller, Desk

BUDGET = 8_000
MOST = 50_000
_SENTENCE = 300


def run(desk: Desk, caller: Caller, arguments: dict[str, Any]) -> Said:
    """List the keys."""
    return listed(desk.open(), arguments.get("budget", BUDGET))


def listed(memory: Memory, budget: int) -> Said:
    """Take keys as long as they fit; a part of the index that cannot be read refuses the list.

    Raises:
        NoStoreError, FaultError, RefusedError: as ``Memory.index``.
    """
    lines: list[Line] = []
    left = budget
    with memory.index() as listing:
        for item in listing.lines():
            if isinstance(item, Finding):
                return refused(Refusal(key="", findings=(item,), as_of=""))
            left -= len(entry(item))
            if left < 0:
                break
            lines.append(item)
        total, outcome = listing.total, "verified" if listing.sealed else "unsealed"
    cut = f"; {total - len(lines):,} more did not fit into {budget:,} characters" if total > len(lines) else ""
    text = f"{len(lines):,} of {total:,} keys, {outcome}{cut}. Each with when to recall it:\n"
    keys = [{"key": escape(line.key), "read_when": bounded(line.read_when, _SENTENCE)} for line in lines]
    fields = {"outcome": outcome, "keys": keys, "shown": len(lines), "total": total}
    return Said(fields=fields, text=text + "".join(map(entry, lines)))
