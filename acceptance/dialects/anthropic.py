"""Anthropic's Messages API, as Claude Code speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from acceptance.dialects.turn import Offer, Reply, Turn, Written, document, events

USAGE = {"input_tokens": 10, "output_tokens": 5}


class Messages:
    """``POST /v1/messages``."""

    def read(self, path: str, body: Mapping[str, Any]) -> Turn | None:
        """Read a request; nothing where the path asks for something else than an answer."""
        if not path.endswith("/messages"):
            return None
        return Turn(
            model=str(body.get("model", "")),
            offers=tuple(Offer(name=str(tool["name"])) for tool in body.get("tools") or () if "name" in tool),
            answered=frozenset(_answered(body)),
            stream=bool(body.get("stream")),
        )

    def write(self, turn: Turn, reply: Reply) -> Written:
        """Write what the model says."""
        block, why = _block(reply), "tool_use" if reply.offer else "end_turn"
        message = {
            "id": "msg_scripted",
            "type": "message",
            "role": "assistant",
            "model": turn.model,
            "content": [block],
            "stop_reason": why,
            "stop_sequence": None,
            "usage": USAGE,
        }
        return events(_events(message, reply, why), named=True) if turn.stream else document(message)


def _answered(body: Mapping[str, Any]) -> Iterator[str]:
    for message in body.get("messages") or ():
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if block.get("type") == "tool_result":
                yield str(block.get("tool_use_id"))


def _block(reply: Reply) -> dict[str, Any]:
    if reply.offer is None:
        return {"type": "text", "text": reply.text}
    return {"type": "tool_use", "id": reply.call_id, "name": reply.offer.name, "input": reply.arguments}


def _events(message: Mapping[str, Any], reply: Reply, why: str) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    if reply.offer:
        start = {**_block(reply), "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
    else:
        start = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": reply.text}
    yield {"type": "content_block_start", "index": 0, "content_block": start}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": USAGE}
    yield {"type": "message_stop"}
