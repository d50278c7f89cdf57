"""What each client sends is understood, and what goes back has exactly the keys that it takes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from upheld.cli import hook_command
from upheld.hooks.asked import EVENTS, Said
from upheld.hooks.dialects import CLIENTS, dialect_of
from upheld.hooks.payload import MAX_BYTES, Malformed, parse

TEXT = Said(context="a text", note="a note", outcome="match")
DENY = Said(deny="a denial", outcome="denied")
BLOCK = Said(context="a fault", note="a fault", block="a fault", outcome="fault")


def nested(name: str, **fields: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": name, **fields}}


def deny(name: str, reason: str) -> dict[str, Any]:
    return nested(name, permissionDecision="deny", permissionDecisionReason=reason)


CLAUDE = {
    ("session-start", "text"): nested("SessionStart", additionalContext="a text"),
    ("session-start", "block"): nested("SessionStart", additionalContext="a fault"),
    ("prompt", "text"): nested("UserPromptSubmit", additionalContext="a text"),
    ("prompt", "block"): {"decision": "block", "reason": "a fault"},
    ("before-tool", "text"): nested("PreToolUse", additionalContext="a text"),
    ("before-tool", "deny"): deny("PreToolUse", "a denial"),
    ("before-tool", "block"): deny("PreToolUse", "a fault"),
    ("after-tool", "text"): None,
    ("subagent-start", "text"): nested("SubagentStart", additionalContext="a text"),
}
EXPECTED: dict[str, dict[tuple[str, str], dict[str, Any] | None]] = {
    "claude": dict(CLAUDE),
    "codex": dict(CLAUDE),
    "vscode": {**CLAUDE, ("prompt", "text"): {"systemMessage": "a note"}},
    "gemini": {
        ("session-start", "text"): nested("SessionStart", additionalContext="a text"),
        ("prompt", "text"): nested("BeforeAgent", additionalContext="a text"),
        ("prompt", "block"): {"decision": "deny", "reason": "a fault"},
        ("before-tool", "text"): None,
        ("after-tool", "text"): nested("AfterTool", additionalContext="a text"),
        ("before-tool", "deny"): {"decision": "deny", "reason": "a denial"},
    },
    "copilot": {
        ("session-start", "text"): {"additionalContext": "a text"},
        ("prompt", "text"): {"additionalContext": "a text"},
        ("prompt", "block"): {"additionalContext": "a fault"},
        ("before-tool", "text"): {"additionalContext": "a text"},
        ("before-tool", "deny"): {"permissionDecision": "deny", "permissionDecisionReason": "a denial"},
    },
    "cursor": {
        ("session-start", "text"): {"additional_context": "a text"},
        ("prompt", "text"): None,
        ("prompt", "block"): {"continue": False, "user_message": "a fault"},
        ("before-tool", "text"): None,
        ("before-tool", "deny"): {"permission": "deny", "user_message": "a denial", "agent_message": "a denial"},
        ("subagent-start", "text"): None,
    },
    "opencode": {
        ("prompt", "text"): {"context": "a text"},
        ("before-tool", "deny"): {"deny": "a denial"},
        ("prompt", "block"): {"context": "a fault", "block": "a fault"},
    },
}
SAID = {"text": TEXT, "deny": DENY, "block": BLOCK}


@pytest.mark.parametrize(
    ("client", "event", "kind"), [(client, *case) for client, cases in EXPECTED.items() for case in cases]
)
def test_an_answer_has_exactly_the_keys_that_its_client_takes(client: str, event: str, kind: str) -> None:
    assert dialect_of(client).encode(event, SAID[kind]) == EXPECTED[client][event, kind]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("event", EVENTS)
def test_nothing_to_say_is_no_output_at_all(client: str, event: str) -> None:
    assert dialect_of(client).encode(event, Said()) is None


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("event", EVENTS)
def test_every_encoder_has_an_answer_for_everything_that_can_be_said(client: str, event: str) -> None:
    for said in (TEXT, DENY, BLOCK):
        made = dialect_of(client).encode(event, said)
        assert made is None or json.loads(json.dumps(made)) == made


def test_a_client_that_takes_text_at_an_event_gets_it_there() -> None:
    for client in CLIENTS:
        dialect = dialect_of(client)
        for event in EVENTS:
            arrives = "a text" in json.dumps(dialect.encode(event, TEXT))
            assert arrives is (event in dialect.injects), (client, event)


def test_the_help_knows_the_same_clients_and_events() -> None:
    assert hook_command.CLIENTS == CLIENTS and hook_command.EVENTS == EVENTS


PAYLOADS: list[tuple[str, str, dict[str, object], dict[str, object]]] = [
    ("claude", "prompt", {"session_id": "s", "cwd": "/p", "hook_event_name": "UserPromptSubmit", "prompt": "x", "prompt_id": "i", "transcript_path": "/t", "permission_mode": "default"}, {"session": "s", "turn": "i", "prompt": "x", "cwd": "/p"}),
    ("claude", "prompt", {"sessionId": "s", "hookEventName": "UserPromptSubmit", "prompt": "x", "cwd": "/p"}, {"session": "s", "prompt": "x"}),
    ("claude", "before-tool", {"session_id": "s", "cwd": "/p", "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "u"}, {"tool": "Bash", "turn": "u", "given": {"command": "ls"}}),
    ("codex", "prompt", {"session_id": "s", "turn_id": "t", "cwd": "/p", "prompt": "x", "model": "m"}, {"session": "s", "turn": "t"}),
    ("codex", "session-start", {"session_id": "s", "cwd": "/p", "source": "resume"}, {"source": "resume"}),
    ("gemini", "prompt", {"session_id": "s", "cwd": "/p", "prompt": "x", "timestamp": "t"}, {"prompt": "x"}),
    ("gemini", "after-tool", {"session_id": "s", "cwd": "/p", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}, "tool_response": {"llmContent": "x"}}, {"tool": "run_shell_command", "given": {"command": "ls"}}),
    ("copilot", "prompt", {"sessionId": "s", "timestamp": 1, "cwd": "/p", "prompt": "x"}, {"session": "s", "prompt": "x"}),
    ("copilot", "before-tool", {"sessionId": "s", "timestamp": 1, "cwd": "/p", "toolName": "bash", "toolArgs": '{"command": "ls"}'}, {"tool": "bash", "given": {"command": "ls"}}),
    ("cursor", "session-start", {"conversation_id": "c", "generation_id": "g", "workspace_roots": ["/p"], "cursor_version": "1"}, {"session": "c", "turn": "g", "folders": ("/p",)}),
    ("cursor", "before-tool", {"conversation_id": "c", "command": "ls", "cwd": "/p"}, {"tool": "shell", "given": {"command": "ls"}}),
    ("vscode", "before-tool", {"sessionId": "s", "cwd": "/p", "tool_name": "editFiles", "tool_input": {"files": ["a"]}}, {"tool": "editFiles", "given": {"files": ["a"]}}),
    ("opencode", "prompt", {"session_id": "s", "cwd": "/p", "prompt": "x"}, {"prompt": "x"}),
]  # fmt: skip


@pytest.mark.parametrize(("client", "event", "payload", "expected"), PAYLOADS)
def test_what_a_client_sends_is_understood(
    client: str, event: str, payload: dict[str, object], expected: dict[str, object]
) -> None:
    asked = dialect_of(client).read(event, payload, {})
    assert {name: getattr(asked, name) for name in expected} == expected


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("prompt", {}),
        ("prompt", {"prompt": None}),
        ("prompt", {"prompt": ["x"]}),
        ("prompt", {"prompt": "x", "session_id": 3}),
        ("before-tool", {}),
        ("before-tool", {"tool_name": 3}),
    ],
)
def test_a_payload_without_what_its_event_is_about_is_malformed(
    client: str, event: str, payload: dict[str, object]
) -> None:
    with pytest.raises(Malformed):
        dialect_of(client).read(event, payload, {})


@pytest.mark.parametrize(
    "data",
    [
        b"", b" ", b"null", b"[]", b'"x"', b"{", b'{"a":', b'{"a":1}x', b'{"a":1}{"b":2}', b'{"a":1,"a":2}', b"\xff\xfe{}",
        b'{"a":{"b":1,"b":2}}', '{"prompt":"x"}'.encode("utf-16"), b"[" * 200_000, b'{"a":' * 100_000, b"{'a':1}",
    ],
)  # fmt: skip
def test_what_is_not_one_object_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        parse(data)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'\xef\xbb\xbf{"a":"b"}', {"a": "b"}),
        (b' \r\n{"a":"b"}\r\n', {"a": "b"}),
        (b'{"a":"\\u001b[31m\x7f"}', {"a": "\x1b[31m\x7f"}),
        (b'{"a":12345678901234567890}', {"a": 12345678901234567890}),
        ('{"a":"\u00e9\u4e2d\U0001f600"}'.encode(), {"a": "\u00e9\u4e2d\U0001f600"}),
    ],
)
def test_an_object_may_hold_any_text(data: bytes, value: dict[str, object]) -> None:
    assert parse(data) == value


def test_half_of_a_surrogate_pair_is_made_fit_for_utf8() -> None:
    asked = dialect_of("claude").read("prompt", parse(b'{"prompt":"a\\ud83d b"}'), {})
    assert asked.prompt == "a? b"
    assert MAX_BYTES == 8 * 1024 * 1024
