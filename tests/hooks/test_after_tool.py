"""Gemini CLI drops a text before a tool: what governs the call is given with the tool's result, and only once."""

from __future__ import annotations

from pathlib import Path

import pytest

from hooking import DEPLOYS, Session

CALL = {"tool_name": "run_shell_command", "tool_input": {"command": "kubectl apply -f x.yaml"}}


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Session:
    made = Session(tmp_path, monkeypatch, capfd)
    made.keep()
    made.client = "gemini"
    return made


def test_the_text_comes_with_the_result_and_not_before(session: Session) -> None:
    assert session.ask("before-tool", **CALL) == {}
    said = session.ask("after-tool", **CALL, tool_response={"llmContent": "applied"})
    assert said["hookSpecificOutput"]["hookEventName"] == "AfterTool"
    assert DEPLOYS in said["hookSpecificOutput"]["additionalContext"]


def test_a_text_that_was_given_with_a_result_is_not_given_again(session: Session) -> None:
    session.ask("after-tool", **CALL)
    again = session.context("after-tool", tool_name="run_shell_command", tool_input={"command": "kubectl apply -f y"})
    assert DEPLOYS not in again
    assert "checked again: `deploys`" in again


def test_nothing_is_denied_after_the_fact(session: Session) -> None:
    forbidden = {"tool_name": "run_shell_command", "tool_input": {"command": "upheld remember x y --yes"}}
    assert session.ask("before-tool", **forbidden)["decision"] == "deny"
    assert "decision" not in session.ask("after-tool", **forbidden)


def test_a_client_that_takes_text_before_a_tool_is_told_nothing_after_it(session: Session) -> None:
    session.client = "claude"
    assert session.ask("after-tool", **CALL) == {}
    assert DEPLOYS in session.context("before-tool", **CALL)
