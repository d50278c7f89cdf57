"""Ask whoever sits at the client to endorse a proposal, where the client says that it can ask.

The proposal is in the inbox before anybody is asked, so no client that hangs, asks nobody or goes away loses it. An
acceptance is noted beside it (``Memory.endorse``) and approves nothing: hooks can answer such questions.
"""

from __future__ import annotations

import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from upheld.errors import UpheldError
from upheld.mcp import propose_tool
from upheld.mcp.desk import Caller, Desk
from upheld.mcp.said import Said
from upheld.model.proposal_view import Proposed
from upheld.render.jsontext import line as json_line
from upheld.wire.strictjson import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Context = ServerRequestContext[Any, Any]

ASKED = "endorse"
MODERN = "2026-07-28"
SECONDS = 120
"""How long a client of the handshake era may take to answer; then the call ends without an endorsement."""
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"endorse": {"type": "boolean", "title": "Pass it on with a yes", "default": False}},
    "required": ["endorse"],
}


async def propose(
    desk: Desk, caller: Caller, context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    """Put a proposal into the inbox, and ask for an endorsement where that is possible."""
    if params.request_state is not None:
        return await _answered(desk, caller, params)
    made: list[Proposed] = []
    said = await anyio.to_thread.run_sync(_made, desk, caller, params.arguments or {}, made)
    if not made or not _can_ask(context):
        return _result(said)
    question = types.ElicitRequestFormParams(message=_question(made[0]), requested_schema=FORM)
    if context.protocol_version == MODERN:
        requests: dict[str, Any] = {ASKED: types.ElicitRequest(params=question)}
        return types.InputRequiredResult(input_requests=requests, request_state=_state(made[0]))
    accepted = await _asked(context, question)
    return _result(await anyio.to_thread.run_sync(_noted, desk, caller, made[0], accepted))


def _made(desk: Desk, caller: Caller, arguments: dict[str, Any], made: list[Proposed]) -> Said:
    """Propose, and leave what was made where the question finds it."""

    def act(desk_: Desk, caller_: Caller, given: dict[str, Any]) -> Said:
        made.append(propose_tool.made(desk_, caller_, given))
        return propose_tool.said(made[0])

    return desk.carry_out("propose", act, arguments, caller)


def _can_ask(context: Context) -> bool:
    capabilities = context.session.client_capabilities
    asking = capabilities.elicitation if capabilities is not None else None
    # An empty object declares the form mode, which is all that the first revision with elicitation had.
    return asking is not None and (asking.form is not None or asking.url is None)


def _question(made: Proposed) -> str:
    return (
        f"An agent proposes a {made.kind} of `{made.key}` for this project's memory ({made.id}). Endorse it? "
        "It waits for approval in the inbox either way."
    )


async def _asked(context: Context, question: types.ElicitRequestFormParams) -> bool:
    """Ask over a connection of the handshake era; whatever is no clear yes is none."""
    with anyio.move_on_after(SECONDS):
        try:
            answer = await context.session.elicit_form(
                question.message, question.requested_schema, related_request_id=context.request_id
            )
        except MCPError:
            return False
        return _is_yes(answer)
    return False


def _is_yes(answer: object) -> bool:
    """Whether it was accepted and says so: an answer of defaults is none."""
    return (
        isinstance(answer, types.ElicitResult)
        and answer.action == "accept"
        and (answer.content or {}).get(ASKED) is True
    )


def _state(made: Proposed) -> str:
    return json_line({"id": made.id, "sha256": made.sha256, "key": made.key, "kind": made.kind})


async def _answered(desk: Desk, caller: Caller, params: types.CallToolRequestParams) -> types.CallToolResult:
    """The second round: the proposal lies in the inbox already, and only the answer is new."""
    state = parse((params.request_state or "").encode(), "requestState")
    id_, sha256, key, kind = (str(state[name]) for name in ("id", "sha256", "key", "kind"))
    made = Proposed(id=id_, sha256=sha256, key=key, kind=kind)
    accepted = _is_yes((params.input_responses or {}).get(ASKED))
    return _result(await anyio.to_thread.run_sync(_noted, desk, caller, made, accepted))


def _noted(desk: Desk, caller: Caller, made: Proposed, accepted: bool) -> Said:
    def act() -> Said:
        if accepted:
            try:
                desk.open().endorse(made.id, sha256=made.sha256, client=caller.client, protocol=caller.protocol)
            except UpheldError:
                return propose_tool.said(made.replace(notes=("the acceptance could not be noted",)))
        return propose_tool.said(made, endorsed=accepted)

    return desk.attempt(act)


def _result(said: Said) -> types.CallToolResult:
    return types.CallToolResult.model_validate(said.result())
