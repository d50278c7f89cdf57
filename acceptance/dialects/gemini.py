"""Google's generateContent and streamGenerateContent, as Gemini CLI speaks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from acceptance.dialects.turn import Offer, Reply, Turn, Written, document, events

USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


class GenerateContent:
    """``POST /v1beta/models/MODEL:generateContent`` and ``:streamGenerateContent``."""

    def read(self, path: str, body: Mapping[str, Any]) -> Turn | None:
        """Read a request; nothing where the path asks for something else than an answer."""
        model, _, verb = path.rpartition("/")[2].partition(":")
        if verb not in ("generateContent", "streamGenerateContent"):
            return None
        return Turn(
            model=model,
            offers=tuple(_offers(body)),
            answered=frozenset(_answered(body)),
            stream=verb.startswith("stream"),
        )

    def write(self, turn: Turn, reply: Reply) -> Written:
        """Write what the model says."""
        candidate = {"content": {"role": "model", "parts": [_part(reply)]}, "finishReason": "STOP", "index": 0}
        response = {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": turn.model}
        return events([response], named=False) if turn.stream else document(response)


def _offers(body: Mapping[str, Any]) -> Iterator[Offer]:
    for tool in body.get("tools") or ():
        for declared in tool.get("functionDeclarations") or ():
            yield Offer(name=str(declared["name"]))


def _answered(body: Mapping[str, Any]) -> Iterator[str]:
    for content in body.get("contents") or ():
        for part in content.get("parts") or ():
            if "functionResponse" in part:
                yield str(part["functionResponse"].get("id"))


def _part(reply: Reply) -> dict[str, Any]:
    if reply.offer is None:
        return {"text": reply.text}
    return {"functionCall": {"id": reply.call_id, "name": reply.offer.name, "args": reply.arguments}}
