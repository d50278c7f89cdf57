"""OpenAI's Responses API, as Codex speaks it.

Tools of a server come in a namespace, which a call must name. For newer models they are kept back: a request names only
the namespace, and the model finds the tools with ``tool_search``, whose result holds them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from acceptance.dialects.turn import Offer, Reply, Turn, Written, document, events

_RESULTS = ("function_call_output", "custom_tool_call_output", "mcp_tool_call_output", "tool_search_output")
USAGE = {
    "input_tokens": 10,
    "output_tokens": 5,
    "total_tokens": 15,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 0},
}


class Responses:
    """``POST /v1/responses``."""

    def read(self, path: str, body: Mapping[str, Any]) -> Turn | None:
        """Read a request; nothing where the path asks for something else than an answer."""
        if not path.endswith("/responses"):
            return None
        given = body.get("input")
        items = given if isinstance(given, list) else []
        found = [tool for item in items for tool in item.get("tools") or () if item.get("type") == "tool_search_output"]
        return Turn(
            model=str(body.get("model", "")),
            offers=tuple(_offers([*(body.get("tools") or ()), *found])),
            answered=frozenset(_answered(items)),
            stream=bool(body.get("stream")),
        )

    def write(self, turn: Turn, reply: Reply) -> Written:
        """Write what the model says."""
        item = _item(reply)
        response = {
            "id": "resp_scripted",
            "object": "response",
            "created_at": 1,
            "model": turn.model,
            "status": "completed",
            "output": [item],
            "usage": USAGE,
        }
        return events(_events(response, item), named=True) if turn.stream else document(response)


def _offers(tools: Any) -> Iterator[Offer]:
    for tool in tools:
        if tool.get("type") == "namespace":
            group = str(tool.get("name"))
            yield from (Offer(name=str(inner["name"]), namespace=group) for inner in tool.get("tools") or ())
        elif tool.get("type") == "tool_search":
            yield Offer(name="tool_search", finds=True)
        elif "name" in tool:
            yield Offer(name=str(tool["name"]), freeform=tool.get("type") == "custom")


def _answered(items: Any) -> Iterator[str]:
    for item in items:
        if item.get("type") in _RESULTS:
            yield str(item.get("call_id"))


def _item(reply: Reply) -> dict[str, Any]:
    offer = reply.offer
    if offer is None:
        words = {"type": "output_text", "text": reply.text, "annotations": []}
        return {
            "type": "message",
            "role": "assistant",
            "id": "msg_scripted",
            "status": "completed",
            "content": [words],
        }
    item: dict[str, Any] = {"id": f"fc_{reply.call_id}", "call_id": reply.call_id, "status": "completed"}
    if offer.finds:
        return {**item, "type": "tool_search_call", "execution": "client", "arguments": reply.arguments}
    item["name"] = offer.name
    if offer.freeform:
        return {**item, "type": "custom_tool_call", "input": _text(reply)}
    if offer.namespace:
        item["namespace"] = offer.namespace
    return {**item, "type": "function_call", "arguments": _text(reply)}


def _text(reply: Reply) -> str:
    return reply.arguments if isinstance(reply.arguments, str) else json.dumps(dict(reply.arguments))


def _events(response: Mapping[str, Any], item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": response}
