from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acceptance import model as scripted
from acceptance.model import ModelServer, turns
from acceptance.script import Call, Say, Script, Step

STEPS: tuple[Step, ...] = (
    Call(tool="recall", arguments={"key": "refunds"}),
    Call(tool="Bash", arguments={"command": "true"}),
    Say(text="All done."),
)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer(Script(steps=STEPS)) as server:
        yield server


def ask(model: ModelServer, path: str, body: Any, **headers: str) -> tuple[int, str]:
    """Post a document and return the status and what came back."""
    there = http.client.HTTPConnection(urlsplit(model.url).netloc, timeout=10)
    try:
        there.request("POST", path, json.dumps(body).encode(), {"content-type": "application/json", **headers})
        answer = there.getresponse()
        return answer.status, answer.read().decode()
    finally:
        there.close()


def events(text: str) -> list[dict[str, Any]]:
    """The documents of a stream of events."""
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def anthropic(*results: str, stream: bool = False, tools: bool = True) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Now what?"}]
    for name in results:
        messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": "ok"}]})
    offered = [{"name": "Bash"}, {"name": "mcp__upheld__recall"}, {"type": "web_search"}]
    return {"model": "m", "messages": messages, "stream": stream, "tools": offered if tools else []}


def test_a_call_is_made_once_and_the_last_step_ends_the_turn(model: ModelServer) -> None:
    said = []
    for results in ((), ("call_a_0",), ("call_a_0", "call_a_1")):
        status, text = ask(model, "/v1/messages?beta=true", anthropic(*results))
        assert status == 200
        said.append(json.loads(text))
    assert [(part["content"][0].get("name"), part["stop_reason"]) for part in said] == [
        ("mcp__upheld__recall", "tool_use"),
        ("Bash", "tool_use"),
        (None, "end_turn"),
    ]
    assert said[0]["content"][0]["input"] == {"key": "refunds"}
    assert said[2]["content"][0]["text"] == "All done."
    assert [request.path for request in model.requests] == ["/v1/messages"] * 3


def test_a_stream_of_messages_adds_up_to_the_same_call(model: ModelServer) -> None:
    _, text = ask(model, "/v1/messages", anthropic(stream=True))
    parts = events(text)
    assert [part["type"] for part in parts] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert f"event: {parts[0]['type']}\n" in text
    assert parts[1]["content_block"] == {
        "type": "tool_use",
        "id": "call_a_0",
        "name": "mcp__upheld__recall",
        "input": {},
    }
    assert json.loads(parts[2]["delta"]["partial_json"]) == {"key": "refunds"}
    assert parts[4]["delta"]["stop_reason"] == "tool_use"


def test_a_side_request_takes_no_step(model: ModelServer) -> None:
    _, aside = ask(model, "/v1/messages", anthropic(tools=False))
    assert json.loads(aside)["content"] == [{"type": "text", "text": "Done."}]
    _, text = ask(model, "/v1/messages", anthropic())
    assert json.loads(text)["content"][0]["name"] == "mcp__upheld__recall"
    assert len(model.requests) == 2
    assert len(turns(model)) == 1


def test_the_responses_of_openai_name_the_namespace_of_a_call(model: ModelServer) -> None:
    tools = [
        {"type": "function", "name": "exec_command"},
        {"type": "namespace", "name": "mcp__upheld", "tools": [{"name": "recall"}]},
    ]
    _, text = ask(model, "/v1/responses", {"model": "m", "input": [], "tools": tools, "stream": True})
    parts = events(text)
    item = parts[-1]["response"]["output"][0]
    assert [part["type"] for part in parts][-1] == "response.completed"
    assert (item["type"], item["name"], item["namespace"]) == ("function_call", "recall", "mcp__upheld")
    assert json.loads(item["arguments"]) == {"key": "refunds"}
    done = [{"type": "function_call_output", "call_id": item["call_id"], "output": "ok"}]
    _, text = ask(model, "/v1/responses", {"model": "m", "input": done, "tools": tools})
    assert json.loads(text)["output"][0]["content"][0]["text"] == "NO TOOL Bash"


def test_a_tool_that_codex_keeps_back_is_searched_for_first_and_once(model: ModelServer) -> None:
    tools = [{"type": "tool_search", "execution": "client"}]
    _, text = ask(model, "/v1/responses", {"model": "m", "input": [], "tools": tools})
    item = json.loads(text)["output"][0]
    assert (item["type"], item["arguments"]) == ("tool_search_call", {"query": "recall"})
    found = [{"type": "namespace", "name": "mcp__upheld", "tools": [{"name": "recall"}]}]
    result: dict[str, Any] = {"type": "tool_search_output", "call_id": item["call_id"], "tools": found}
    _, text = ask(model, "/v1/responses", {"model": "m", "input": [result], "tools": tools})
    item = json.loads(text)["output"][0]
    assert (item["type"], item["name"], item["namespace"]) == ("function_call", "recall", "mcp__upheld")
    _, text = ask(model, "/v1/responses", {"model": "m", "input": [{**result, "tools": []}], "tools": tools})
    assert json.loads(text)["output"][0]["content"][0]["text"] == "NO TOOL recall"


def test_a_freeform_tool_of_openai_is_given_text() -> None:
    with ModelServer(Script(steps=(Call(tool="apply_patch", arguments="*** Begin Patch"),))) as model:
        tools = [{"type": "custom", "name": "apply_patch"}]
        _, text = ask(model, "/v1/responses", {"model": "m", "input": "Hello", "tools": tools})
    item = json.loads(text)["output"][0]
    assert (item["type"], item["input"]) == ("custom_tool_call", "*** Begin Patch")


@pytest.mark.parametrize("verb", ["generateContent", "streamGenerateContent"])
def test_gemini_is_answered_in_its_own_form(model: ModelServer, verb: str) -> None:
    tools = [{"functionDeclarations": [{"name": "run_shell_command"}, {"name": "mcp_upheld_recall"}]}]
    path = f"/v1beta/models/gemini-2.5-flash:{verb}?alt=sse"
    _, text = ask(model, path, {"contents": [], "tools": tools})
    document = events(text)[0] if verb.startswith("stream") else json.loads(text)
    called = document["candidates"][0]["content"]["parts"][0]["functionCall"]
    assert called == {"id": "call_a_0", "name": "mcp_upheld_recall", "args": {"key": "refunds"}}
    results = [{"parts": [{"functionResponse": {"id": f"call_a_{n}", "response": {}}} for n in (0, 1)]}]
    _, text = ask(model, path, {"contents": results, "tools": tools})
    document = events(text)[0] if verb.startswith("stream") else json.loads(text)
    assert document["candidates"][0]["content"]["parts"] == [{"text": "All done."}]


def test_what_clients_ask_besides_is_answered_and_not_kept(model: ModelServer) -> None:
    assert json.loads(ask(model, "/v1/messages/count_tokens", {})[1])["input_tokens"] == 10
    assert json.loads(ask(model, "/v1/telemetry", [1])[1])["data"] == []
    assert model.requests == ()


def test_as_a_proxy_it_refuses_and_keeps_the_host(model: ModelServer) -> None:
    there = http.client.HTTPConnection(urlsplit(model.url).netloc, timeout=10)
    there.request("POST", "http://plain.example/a?b", b"{}")
    assert there.getresponse().status == 403
    there.close()
    tunnel = http.client.HTTPConnection(urlsplit(model.url).netloc, timeout=10)
    tunnel.set_tunnel("secure.example", 443)
    with pytest.raises(OSError, match="403"):
        tunnel.request("GET", "/")
    tunnel.close()
    assert model.outside == ("plain.example", "secure.example:443")


def test_a_body_in_chunks_is_read_whole(model: ModelServer) -> None:
    data = json.dumps(anthropic()).encode()
    there = http.client.HTTPConnection(urlsplit(model.url).netloc, timeout=10)
    there.request(
        "POST",
        "/v1/messages",
        iter([data[:7], data[7:]]),
        encode_chunked=True,
        headers={"transfer-encoding": "chunked"},
    )
    answer = there.getresponse()
    assert json.loads(answer.read())["stop_reason"] == "tool_use"
    there.close()
    assert model.requests[0].body == anthropic()


def test_too_many_requests_too_large_ones_and_broken_ones_are_refused(
    model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "BODY_LIMIT", 1000)
    assert ask(model, "/v1/messages", {"messages": ["x" * 990]})[0] == 400
    assert ask(model, "/v1/messages", {"messages": 7, "tools": 7})[0] == 400
    monkeypatch.setattr(scripted, "REQUEST_LIMIT", 3)
    assert ask(model, "/v1/messages", anthropic())[0] == 200
    assert ask(model, "/v1/messages", anthropic())[0] == 429
    assert len(model.requests) == 1


def test_it_stops_by_itself_and_listens_on_loopback_only() -> None:
    server = ModelServer(lifetime=0.05)
    assert server.url.startswith("http://127.0.0.1:")
    with server:
        server._thread.join(20)
        assert not server._thread.is_alive()


@given(
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=4),
    st.sets(st.integers(0, 5)),
)
def test_a_script_goes_on_at_the_first_call_that_has_no_result(names: list[str], done: set[int]) -> None:
    script = Script(steps=tuple(Call(tool=name, arguments={}) for name in names), tag="t")
    number, step = script.next_step(frozenset(script.call_id(n) for n in done))
    assert all(n in done for n in range(number))
    assert isinstance(step, Say) == (number == len(names))
    assert number == len(names) or number not in done


def test_calls_of_an_earlier_run_do_not_count() -> None:
    script = Script(steps=STEPS, tag="b")
    assert script.next_step(frozenset({"call_a_0", "call_a_1"}))[0] == 0
