"""The server of ``upheld mcp --http`` with the tools, prompts and resources that the conformance suite looks for.

Most of the suite's scenarios call fixtures by name (``test_simple_text``), which no real server has. Here they stand
beside our own, behind the same door, wiring, state boundary and session managers, so that what is tested is ours.

    python -m conformance.protocol.fixture STORE PORT
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from upheld.mcp.desk import Desk
from upheld.mcp.http import application, run, security_for
from upheld.mcp.server import Context, Wiring, make_server
from upheld.mcp.tenants import Tenant

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
TEXT = {"type": "text", "text": "This is a simple text response for testing."}
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}


def _embedded(uri: str, text: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": "text/plain", "text": text}}


CONTENTS: Mapping[str, list[dict[str, Any]]] = {
    "test_simple_text": [TEXT],
    "test_image_content": [IMAGE],
    "test_audio_content": [{"type": "audio", "data": SOUND, "mimeType": "audio/wav"}],
    "test_embedded_resource": [_embedded("test://embedded-resource", "This is an embedded resource content.")],
    "test_multiple_content_types": [
        {"type": "text", "text": "Multiple content types test:"},
        IMAGE,
        _embedded("test://mixed-content-resource", "{}"),
    ],
}  # fmt: skip


def _form(message: str, **properties: object) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


_STRING, _YES = {"type": "string"}, {"type": "boolean"}
_NAME = _form("What is your name?", name=_STRING)
_SAMPLE = {
    "method": "sampling/createMessage",
    "params": {"messages": [{"role": "user", "content": {"type": "text", "text": "Say hello"}}], "maxTokens": 50},
}
_ROOTS = {"method": "roots/list", "params": {}}
_CONFIRM = _form("Please confirm", ok=_YES)
# Each tool's rounds: what is asked in each, until nothing is.
ROUNDS: Mapping[str, list[dict[str, Any]]] = {
    "test_input_required_result_elicitation": [{"user_name": _NAME}],
    "test_input_required_result_sampling": [{"capital": _SAMPLE}],
    "test_input_required_result_list_roots": [{"client_roots": _ROOTS}],
    "test_input_required_result_request_state": [{"confirm": _CONFIRM}],
    "test_input_required_result_tampered_state": [{"confirm": _CONFIRM}],
    "test_input_required_result_multiple_inputs": [{"user_name": _NAME, "greeting": _SAMPLE, "client_roots": _ROOTS}],
    "test_input_required_result_multi_round": [
        {"step1": _form("Step 1: What is your name?", name=_STRING)},
        {"step2": _form("Step 2: What is your favorite color?", color=_STRING)},
    ],
    "test_streaming_elicitation": [{"user_name": _NAME}],
}
_ONE_OF = [{"const": f"value{number}", "title": f"Choice {number}"} for number in (1, 2, 3)]
_OPTIONS = ["option1", "option2", "option3"]
# What is asked over a connection of the handshake era, as a request of the server's own.
FORMS: Mapping[str, dict[str, Any]] = {
    "test_elicitation": {"username": _STRING, "email": _STRING},
    "test_elicitation_sep1034_defaults": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
    "test_elicitation_sep1330_enums": {
        "untitledSingle": {"type": "string", "enum": _OPTIONS},
        "titledSingle": {"type": "string", "oneOf": _ONE_OF},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
        "titledMulti": {"type": "array", "items": {"anyOf": _ONE_OF}},
    },
}
STATEFUL = ("request_state", "tampered_state", "multiple_inputs", "multi_round")
OTHERS = (
    "test_error_handling", "test_tool_with_progress", "test_logging_tool", "test_missing_capability",
    "test_input_required_result_capabilities",
)  # fmt: skip
PROMPTS: Mapping[str, list[dict[str, Any]]] = {
    "test_simple_prompt": [{"type": "text", "text": "This is a simple prompt for testing."}],
    "test_prompt_with_arguments": [],
    "test_prompt_with_embedded_resource": [
        _embedded("test://example-resource", "Embedded resource content for testing.")
    ],
    "test_prompt_with_image": [IMAGE],
    "test_input_required_result_prompt": [],
}
RESOURCES: Mapping[str, dict[str, str]] = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": PIXEL},
}


class FixtureWiring(Wiring):
    """Our handlers, and the suite's names before them."""

    async def list_tools(self, context: Context, params: object) -> types.ListToolsResult:
        """List ours and the suite's."""
        listed = await super().list_tools(context, params)
        names = (*CONTENTS, *ROUNDS, *OTHERS, *FORMS)
        fixtures = [types.Tool(name=name, description="A fixture.", input_schema={"type": "object"}) for name in names]
        return types.ListToolsResult(tools=[*listed.tools, *fixtures])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Answer for a fixture, else as ever."""
        if params.name in CONTENTS:
            return _result(CONTENTS[params.name])
        if params.name in ROUNDS:
            return _round(params)
        if params.name in OTHERS:
            answer: types.CallToolResult | types.InputRequiredResult = await _OTHERS[params.name](context)
            return answer
        if params.name in FORMS:
            return await _asked(context, FORMS[params.name])
        return await super().call_tool(context, params)

    async def list_resources(self, context: Context, params: object) -> types.ListResourcesResult:
        """List ours and the suite's."""
        listed = await super().list_resources(context, params)
        fixtures = [types.Resource(name=uri, uri=uri, mime_type=one["mimeType"]) for uri, one in RESOURCES.items()]
        return types.ListResourcesResult(resources=[*listed.resources, *fixtures])

    async def list_templates(self, context: Context, params: object) -> types.ListResourceTemplatesResult:
        """List ours and the suite's."""
        listed = await super().list_templates(context, params)
        fixture = types.ResourceTemplate(name="fixture", uri_template="test://template/{id}/data")
        return types.ListResourceTemplatesResult(resource_templates=[*listed.resource_templates, fixture])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read a fixture, else as ever."""
        uri = str(params.uri)
        found = RESOURCES.get(uri)
        if uri.startswith("test://template/"):
            found = {"mimeType": "application/json", "text": f'{{"id": "{uri.split("/")[3]}", "templateTest": true}}'}
        if found is None:
            return await super().read_resource(context, params)
        return types.ReadResourceResult.model_validate({"contents": [{"uri": uri, **found}]})

    async def list_prompts(self, context: Context, params: object) -> types.ListPromptsResult:
        """List the suite's; we have none."""
        arguments = [types.PromptArgument(name=name, required=True) for name in ("arg1", "arg2")]
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    description="A fixture.",
                    arguments=arguments if name == "test_prompt_with_arguments" else None,
                )
                for name in PROMPTS
            ]
        )

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        """Answer for the suite's prompts."""
        if params.name not in PROMPTS:
            raise MCPError(code=types.INVALID_PARAMS, message="there is no such prompt")
        contents = PROMPTS[params.name]
        if params.name == "test_prompt_with_arguments":
            given = params.arguments or {}
            said = f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"
            contents = [{"type": "text", "text": said}]
        elif params.name == "test_input_required_result_prompt":
            if not params.input_responses:
                return _asks({"user_context": _form("What context should the prompt use?", context=_STRING)})
            contents = [{"type": "text", "text": "With your context."}]
        messages = [{"role": "user", "content": one} for one in contents]
        return types.GetPromptResult.model_validate({"messages": messages})


def _result(content: list[dict[str, Any]], *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult.model_validate({"content": content, "isError": is_error})


def _said(text: str, *, is_error: bool = False) -> types.CallToolResult:
    return _result([{"type": "text", "text": text}], is_error=is_error)


def _asks(requests: dict[str, Any], state: str | None = None) -> types.InputRequiredResult:
    return types.InputRequiredResult.model_validate({"inputRequests": requests, "requestState": state})


async def _asked(context: Context, properties: dict[str, Any]) -> types.CallToolResult:
    schema = {"type": "object", "properties": properties, "required": []}
    answer = await context.session.elicit_form("Please fill this in", schema, context.request_id)
    return _said(f"Elicitation completed: action={answer.action}, content={answer.content}")


def _round(params: types.CallToolRequestParams) -> types.CallToolResult | types.InputRequiredResult:
    rounds = ROUNDS[params.name]
    keeps = params.name.endswith(STATEFUL)
    # The state counts the rounds that were asked; without one there was a first round, or none.
    asked = int(params.request_state) if params.request_state else 1
    answers = params.input_responses or {}
    if not rounds[asked - 1].keys() <= answers.keys():
        return _asks(rounds[asked - 1], str(asked) if keeps else None)
    wrong = [key for key, answer in answers.items() if not _is_answered(rounds[asked - 1].get(key), answer)]
    if wrong:
        return _asks(rounds[asked - 1], str(asked) if keeps else None)
    if asked < len(rounds):
        return _asks(rounds[asked], str(asked + 1))
    return _said("state-ok: thank you, everything that was asked is answered")


def _is_answered(asked: dict[str, Any] | None, answer: object) -> bool:
    """Whether an accepted form holds what was asked; what was not asked is passed over."""
    if asked is None or not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return asked is None or not isinstance(answer, types.ElicitResult)
    schema = asked["params"]["requestedSchema"]
    return all(name in (answer.content or {}) for name in schema["required"])


async def _error(context: Context) -> types.CallToolResult:
    return _said("This tool intentionally returns an error for testing", is_error=True)


async def _progress(context: Context) -> types.CallToolResult:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100, f"{done} of 100")
    return _said("done")


async def _logged(context: Context) -> types.CallToolResult:
    return _said("this server sends no log messages")


async def _needs_sampling(context: Context) -> types.CallToolResult:
    capabilities = context.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        needed = types.ClientCapabilities(sampling=types.SamplingCapability())
        data = types.MissingRequiredClientCapabilityErrorData(required_capabilities=needed)
        raise MCPError(
            code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="sampling is needed",
            data=data.model_dump(by_alias=True, mode="json", exclude_none=True),
        )
    return _said("sampling is declared")


async def _able(context: Context) -> types.CallToolResult | types.InputRequiredResult:
    """Ask only for what the client says it can do."""
    capabilities = context.session.client_capabilities or types.ClientCapabilities()
    requests = {"name": _NAME} if capabilities.elicitation is not None else {}
    requests |= {"greeting": _SAMPLE} if capabilities.sampling is not None else {}
    return _asks(requests) if requests else _said("nothing can be asked")


_OTHERS: Mapping[str, Any] = dict(zip(OTHERS, (_error, _progress, _logged, _needs_sampling, _able), strict=True))


def fixture_server(desk: Desk) -> Server[Any]:
    """Return our server with the fixtures in it."""
    wiring = FixtureWiring(desk)
    server = make_server(wiring)
    server.add_request_handler("prompts/get", types.GetPromptRequestParams, wiring.get_prompt)
    return server


def main(store: str, port: str) -> None:
    """Serve on loopback."""
    tenant = Tenant(name="store", store=store)
    run(application([tenant], security_for("127.0.0.1"), serve=fixture_server), "127.0.0.1", int(port), said="fixtures")


if __name__ == "__main__":
    main(*sys.argv[1:])
