"""status: the verdict on the store, what is due, what waits, how old the last sync is, and which extras are here."""

from __future__ import annotations

import os

from upheld.compose.semantic import MODULES
from upheld.errors import UpheldError
from upheld.mcp.resident import said
from upheld.mcp.said import MAX_REASON, Said
from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.compose.library import Memory
    from upheld.mcp.desk import Caller, Desk
    from upheld.model.verdict import Verdict

MOST_KEYS = 2_000
"""Larger stores are not verified whole inside a call: somebody waits for it."""
MOST_NAMED = 20
EXTRAS = {"mcp": ("mcp",), "semantic": MODULES}
"""Each extra, and the modules that it brings."""


def run(desk: Desk, caller: Caller, arguments: dict[str, Any]) -> Said:
    """Look at the store."""
    from upheld.compose.trusting import show

    memory = desk.open()
    found: dict[str, Any] = {"store": desk.label or memory.path}
    view = show(memory.path) if os.path.isdir(memory.path) else None
    if view is not None:
        found |= {"pinned": view.pinned, "last_sync": view.synced_on or ("never" if view.remote else "not shared")}
    total = _total(memory)
    if total > MOST_KEYS:
        left = f"every key: {total:,} are too many for a call, run `upheld verify`"
        found |= {"outcome": "unverified", "sealed": True, "keys": total, "not_checked": [left]}
        return _told(found | _waiting(memory))
    verdict = memory.verify(processes=1)
    return _told(found | _judged(verdict) | _due(memory) | _waiting(memory), is_error=verdict.outcome == "failed")


def _total(memory: Memory) -> int:
    """How many keys there are; 0 where the index is not admitted, which the verdict then says."""
    try:
        with memory.index() as listing:
            return listing.total
    except UpheldError:
        return 0


def _judged(verdict: Verdict) -> dict[str, Any]:
    fields: dict[str, Any] = {"outcome": verdict.outcome, "sealed": verdict.sealed, "keys": verdict.keys}
    if verdict.version is not None:
        fields["version"] = verdict.version
    fields["refused"] = [escape(key) for key in verdict.refused[:MOST_NAMED]]
    if verdict.not_checked:
        fields["not_checked"] = [bounded(one, MAX_REASON) for one in verdict.not_checked]
    if verdict.outcome == "failed":
        worst = verdict.findings[0]
        where = ": ".join(part for part in (worst.place, worst.path) if part)
        reason = f"{worst.entry.what}{f' ({where})' if where else ''}; {len(verdict.findings):,} findings"
        fields |= {"code": worst.code, "reason": bounded(reason, MAX_REASON), "help": bounded(worst.help, MAX_REASON)}
    return fields


def _due(memory: Memory) -> dict[str, Any]:
    try:
        due = memory.due()
    except UpheldError:
        return {}  # the verdict says why
    return {"due": [f"{escape(one.key)} ({one.state})" for one in due.keys[:MOST_NAMED]]}


def _waiting(memory: Memory) -> dict[str, Any]:
    from importlib.util import find_spec

    extras = [name for name, modules in EXTRAS.items() if all(find_spec(module) is not None for module in modules)]
    fields = {"extras": extras, "semantic": said()}
    try:
        return {"pending": memory.inbox().total, **fields}
    except UpheldError:
        return fields


def _told(fields: dict[str, Any], *, is_error: bool = False) -> Said:
    shown = {name: ", ".join(value) or "none" if isinstance(value, list) else value for name, value in fields.items()}
    text = "".join(f"{name.replace('_', ' ')}: {bounded(str(value), MAX_REASON)}\n" for name, value in shown.items())
    return Said(fields=fields, text=text, is_error=is_error)
