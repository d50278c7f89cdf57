"""The thin front and the SDK's server give the same answers, method by method and era by era."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from serving import HANDSHAKES, META, MODERN, envelope, handshake
from upheld.compose.library import Memory
from upheld.mcp import front as front_module
from upheld.mcp.catalog import TOOLS
from upheld.mcp.desk import Desk
from upheld.mcp.front import SKIPPED, Front
from upheld.mcp.lines import Wire
from upheld.mcp.session import run

LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
Message = dict[str, Any]


class Collected(Wire):
    """A wire that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__(-1, -1)
        self.lines: list[Message] = []

    def write(self, line: bytes) -> None:
        self.lines.append(json.loads(line))


def by_sdk(desk: Desk, *messages: Message) -> dict[Any, Message]:
    """What the SDK's server answers to these messages, by id."""
    wire = Collected()

    def feed(give: Any) -> None:
        for message in messages:
            give(message)
        give(None)

    run(desk, wire, "a-session", feed)
    return {line["id"]: line for line in wire.lines}


def on_the_wire(message: Message | None) -> Message:
    """A message as the other side reads it."""
    return dict(json.loads(json.dumps(message)))


def request(method: str, params: Message, number: int = 2) -> Message:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


@pytest.fixture
def desk(memory: Memory) -> Desk:
    memory.remember("deploy-window", "Deploy before 15:00 UTC.", when="Before deploying", because="The rota says so.")
    return Desk(store=memory.path)


def calls() -> list[tuple[str, dict[str, object]]]:
    return [
        ("recall", {"key": "deploy-window"}),
        ("recall", {"key": "no-such-key"}),
        ("recall", {"key": "deploy-window", "as_of": "2026-01-01"}),
        ("recall", {}),
        ("route", {"task": "Before deploying"}),
        ("route", {"task": "something else entirely"}),
        ("index", {}),
        ("index", {"budget": 0}),
    ]


def test_both_know_the_same_revisions() -> None:
    assert front_module.HANDSHAKES == HANDSHAKE_PROTOCOL_VERSIONS
    assert (front_module.MODERN,) == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize("version", [*HANDSHAKE_PROTOCOL_VERSIONS, "2030-01-01", "nonsense"])
def test_the_handshake_is_answered_alike(desk: Desk, version: str) -> None:
    opening = request("initialize", handshake(version), 1)
    assert Front(desk).answer(opening) == by_sdk(desk, opening)[1]


@pytest.mark.parametrize("version", HANDSHAKES)
@pytest.mark.parametrize("method", [*LISTS, "ping"])
def test_the_lists_are_answered_alike_after_a_handshake(desk: Desk, version: str, method: str) -> None:
    opening, noticed = request("initialize", handshake(version), 1), notification("notifications/initialized")
    asked = request(method, {})
    front = Front(desk)
    front.answer(opening)
    assert front.answer(noticed) is SKIPPED
    assert on_the_wire(front.answer(asked)) == by_sdk(desk, opening, noticed, asked)[2]
    assert front.replay == [opening, noticed]


@pytest.mark.parametrize("method", [*LISTS, "server/discover"])
def test_the_lists_are_answered_alike_in_the_modern_era(desk: Desk, method: str) -> None:
    asked = request(method, envelope())
    front = Front(desk)
    assert on_the_wire(front.answer(asked)) == by_sdk(desk, asked)[2]
    assert front.replay == []


@pytest.mark.parametrize(("name", "arguments"), calls())
def test_calls_are_answered_alike_in_both_eras(desk: Desk, name: str, arguments: dict[str, object]) -> None:
    opening = request("initialize", handshake(), 1)
    called = request("tools/call", {"name": name, "arguments": arguments})
    front = Front(desk)
    front.answer(opening)
    assert front.answer(called) == by_sdk(desk, opening, called)[2]
    modern = request("tools/call", {"name": name, "arguments": arguments, **envelope()})
    assert Front(desk).answer(modern) == by_sdk(desk, modern)[2]


def notification(method: str) -> Message:
    return {"jsonrpc": "2.0", "method": method}


LEFT_TO_THE_SDK: list[Message] = [
    request("tools/list", {}),  # before any opening
    request("initialize", {"protocolVersion": 3}, 1),
    request("initialize", {**handshake(), "clientInfo": {"name": "x"}}, 1),
    request("tools/list", {"cursor": "x", **envelope()}),
    request("ping", envelope()),  # not part of the modern era
    request("tools/call", {"name": "propose", "arguments": {}, **envelope()}),
    request("tools/call", {"name": "status", "arguments": {}, **envelope()}),
    request("tools/call", {"name": "no-such-tool", "arguments": {}, **envelope()}),
    request("tools/call", {"name": "recall", "arguments": [], **envelope()}),
    request("tools/list", {"_meta": {f"{META}protocolVersion": MODERN}}),  # half an envelope
    request("tools/list", {"_meta": {**envelope()["_meta"], f"{META}protocolVersion": "2031-01-01"}}),
    request("subscriptions/listen", envelope()),
    request("no/such/method", envelope()),
    {"jsonrpc": "1.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": True, "method": "ping"},
    {"jsonrpc": "2.0", "id": None, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1, "result": {}},
    notification("notifications/roots/list_changed"),
]


@pytest.mark.parametrize("message", LEFT_TO_THE_SDK, ids=json.dumps)
def test_what_the_front_does_not_understand_whole_it_leaves_alone(desk: Desk, message: Message) -> None:
    front = Front(desk)
    assert front.answer(message) is None
    assert front.replay == []


def test_a_connection_of_one_era_is_not_answered_in_the_other(desk: Desk) -> None:
    old, new = Front(desk), Front(desk)
    old.answer(request("initialize", handshake(), 1))
    assert old.answer(request("tools/list", envelope())) is None
    new.answer(request("server/discover", envelope(), 1))
    assert new.answer(request("initialize", handshake())) is None
    assert new.answer(request("tools/list", {})) is None


def test_the_front_has_the_same_answer_for_two_askers(desk: Desk) -> None:
    asked = request("tools/list", envelope())
    assert json.dumps(Front(desk).answer(asked)) == json.dumps(Front(desk).answer(asked))


def test_the_sdk_accepts_the_tables_as_its_own_types() -> None:
    assert types.ListToolsResult.model_validate({"tools": TOOLS}).tools
