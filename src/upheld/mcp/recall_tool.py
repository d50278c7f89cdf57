"""recall: one key's verified text in its frame, or its refusal."""

from __future__ import annotations

from upheld.mcp.echoes import remember
from upheld.mcp.said import Said, notices, refused
from upheld.model.answer import Answer
from upheld.render.escape import escape
from upheld.render.frame import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.mcp.desk import Caller, Desk
    from upheld.model.answer import Refusal

LIMIT = 32_000
"""Characters of one framed text. Clients cut longer results themselves, where nobody sees what is missing."""


def run(desk: Desk, caller: Caller, arguments: dict[str, Any]) -> Said:
    """Recall one key."""
    return recalled(desk, arguments["key"])


def recalled(desk: Desk, key: str) -> Said:
    """Recall one key, and remember that its text was served."""
    memory = desk.open()
    outcome = memory.recall(key)
    remember(memory.path, (outcome,))
    return said(outcome)


def said(outcome: Answer | Refusal) -> Said:
    """Say what a recall came to."""
    if not isinstance(outcome, Answer):
        return refused(outcome)
    text = framed(outcome, limit=LIMIT)
    fields: dict[str, Any] = {
        "outcome": outcome.outcome,
        "key": escape(outcome.key),
        "text": text,
        "source": escape(outcome.source),
        "source_sha256": outcome.source_sha256,
        "review_on": outcome.review_on,
        "expires_on": outcome.expires_on,
        **notices(outcome.notices),
    }
    told = [f"note: {line}\n" for line in fields.get("notices", ())]
    return Said(fields=fields, text=text + "".join(told))
