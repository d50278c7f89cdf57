"""propose: a wish into the inbox, with who asked. An acceptance through the client endorses it and decides nothing."""

from __future__ import annotations

from upheld.mcp.said import MAX_REASON, Said
from upheld.model.proposal import Asker
from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.mcp.desk import Caller, Desk
    from upheld.model.proposal_view import Proposed


def run(desk: Desk, caller: Caller, arguments: dict[str, Any]) -> Said:
    """Put one proposal into the inbox."""
    return said(made(desk, caller, arguments))


def made(desk: Desk, caller: Caller, arguments: dict[str, Any]) -> Proposed:
    """Make it.

    Raises:
        UpheldError: as ``Memory.propose``.
    """
    asker = Asker(client=desk.client_name or caller.client, agent=caller.client, session=caller.session, channel="mcp")
    return desk.open().propose(
        arguments["key"],
        arguments.get("text", ""),
        kind=arguments.get("kind"),
        when=arguments.get("when", ""),
        because=arguments["because"],
        fires=arguments.get("fires", ()),
        asker=asker,
    )


def said(proposed: Proposed, *, endorsed: bool = False) -> Said:
    """Say that it waits."""
    notes = [bounded(note, MAX_REASON) for note in proposed.notes]
    fields: dict[str, Any] = {
        "outcome": "proposed",
        "id": proposed.id,
        "key": escape(proposed.key),
        "kind": proposed.kind,
        "endorsed": endorsed,
        **({"notes": notes} if notes else {}),
    }
    accepted = " The client's acceptance is noted and decides nothing." if endorsed else ""
    text = (
        f"proposed: {proposed.kind} `{escape(proposed.key)}` waits as {proposed.id} until a person approves it "
        f"(`upheld inbox`). It is not remembered yet and will not be served.{accepted}\n"
    )
    return Said(fields=fields, text=text + "".join(f"note: {note}\n" for note in notes))
