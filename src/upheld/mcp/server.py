"""The server on the SDK: every method that it serves, for one desk. Stdio and HTTP are wired to it alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from upheld import __version__
from upheld.mcp import catalog
from upheld.mcp.asking import propose
from upheld.mcp.desk import Caller, Desk
from upheld.mcp.front import LISTS_LAST_MS
from upheld.mcp.resources import completions, read

Context = ServerRequestContext[Any, Any]

REFUSED = -32010
"""Implementation-defined (-32000 to -32019): a governed refusal of a resource. Tools say theirs in their result."""


def make_server(wiring: Wiring) -> Server[Any]:
    """Return a server for one store. It opens nothing before the first call.

    Args:
        wiring: what answers.
    """
    lists = CacheHint(ttl_ms=LISTS_LAST_MS, scope="public")
    server: Server[Any] = Server(
        catalog.NAME,
        version=__version__,
        title=catalog.TITLE,
        instructions=catalog.INSTRUCTIONS,
        cache_hints={
            "tools/list": lists,
            "resources/list": lists,
            "resources/templates/list": lists,
            "prompts/list": lists,
            "server/discover": lists,
        },
        get_tool_input_schema=catalog.input_schema,
        on_list_tools=wiring.list_tools,
        on_call_tool=wiring.call_tool,
        on_list_resources=wiring.list_resources,
        on_list_resource_templates=wiring.list_templates,
        on_read_resource=wiring.read_resource,
        on_list_prompts=wiring.list_prompts,
        on_completion=wiring.complete,
    )
    # What a client carries from one round of a call to the next comes back as this process sent it, or not at all.
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=catalog.NAME))
    return server


class Wiring:
    """The handlers of one desk. What reads or writes a store runs in a thread, so that a ping is answered meanwhile.

    Args:
        desk: the store.
        session: what the one connection is called in a proposal; over HTTP each has a name of its own.
    """

    def __init__(self, desk: Desk, session: str = "") -> None:
        self._desk, self._session = desk, session

    async def list_tools(self, context: Context, params: object) -> types.ListToolsResult:
        """Answer ``tools/list``."""
        return types.ListToolsResult.model_validate({"tools": catalog.TOOLS})

    async def list_resources(self, context: Context, params: object) -> types.ListResourcesResult:
        """Answer ``resources/list``."""
        return types.ListResourcesResult.model_validate({"resources": catalog.RESOURCES})

    async def list_templates(self, context: Context, params: object) -> types.ListResourceTemplatesResult:
        """Answer ``resources/templates/list``."""
        return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": catalog.TEMPLATES})

    async def list_prompts(self, context: Context, params: object) -> types.ListPromptsResult:
        """Answer ``prompts/list``: there are none, and a client that asks is told so."""
        return types.ListPromptsResult(prompts=[])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Answer ``tools/call``."""
        arguments: Mapping[str, object] = params.arguments or {}
        if catalog.input_schema(params.name) is None:
            raise MCPError(code=types.INVALID_PARAMS, message=f"there is no tool {params.name[:60]!r}; see tools/list")
        caller = caller_of(context, self._session)
        if params.name == "propose":
            return await propose(self._desk, caller, context, params)
        said = await anyio.to_thread.run_sync(self._desk.call, params.name, arguments, caller)
        return types.CallToolResult.model_validate(said.result())

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Answer ``resources/read``; a refusal is an error with code, reason and help in its data."""
        uri = str(params.uri)
        said = await anyio.to_thread.run_sync(read, self._desk, uri)
        if said is None:
            raise MCPError(code=types.INVALID_PARAMS, message="there is no such resource", data={"uri": uri[:300]})
        if said.is_error:
            raise MCPError(code=REFUSED, message=f"refused: {said.fields['code']}", data={"uri": uri, **said.fields})
        contents = [{"uri": uri, "mimeType": catalog.SERVED_AS, "text": said.text}]
        return types.ReadResourceResult.model_validate({"contents": contents})

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Answer ``completion/complete`` for the keys."""
        wanted = isinstance(params.ref, types.ResourceTemplateReference) and params.argument.name == "key"
        values: list[str] = []
        total = 0
        if wanted:
            values, total = await anyio.to_thread.run_sync(completions, self._desk, params.argument.value)
        made = types.Completion(values=values, total=total, has_more=total > len(values))
        return types.CompleteResult(completion=made)


def caller_of(context: Context, session: str) -> Caller:
    """Return who calls, as the connection says it."""
    info = context.session.client_params.client_info if context.session.client_params is not None else None
    client = f"{info.name} {info.version}".strip()[:200] if info is not None else ""
    if context.request is not None:
        session = context.request.headers.get("mcp-session-id", "")
    return Caller(client=client, session=session[:100], protocol=context.protocol_version)
