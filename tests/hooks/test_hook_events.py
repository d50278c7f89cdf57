"""What each event puts in front of a model: the verified text, the candidates, the refusal, or the word that none governs."""

from __future__ import annotations

import io
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hooking import DEPLOYS, NOTES, Session
from upheld.compose.state import state_root
from upheld.hooks.once import Marks
from upheld.hooks.own_text import without_own_text
from upheld.model.trigger_edit import TriggerEdit
from upheld.render import wording
from upheld.render.frame import Provenance, frame
from upheld.stores.state_directory import StateReader
from upheld.stores.text_memory import TextMemory

GOVERNED = "Before deploying to production."


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Session:
    return Session(tmp_path, monkeypatch, capfd)


@pytest.fixture
def kept(session: Session) -> Session:
    session.keep()
    return session


# --- prompt -------------------------------------------------------------------------------------------------------


def test_a_governed_prompt_gets_the_verified_text_in_a_frame(kept: Session) -> None:
    said = kept.prompt(GOVERNED)
    assert DEPLOYS in said and NOTES not in said
    assert "memory `deploys`: verified" in said
    assert said.startswith("[upheld] checked: `deploys` governs this")
    assert kept.log()[-1]["outcome"] == "match" and kept.log()[-1]["keys"] == ["deploys"]
    assert DEPLOYS not in json.dumps(kept.log())


def test_a_governed_prompt_opens_the_store_once_and_decodes_its_index_and_state_once(
    kept: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from upheld.hooks.answering import Answering
    from upheld.services import snapshot
    from upheld.stores.directory import DirectoryStore
    from upheld.wire import index, trusted

    done: list[str] = []

    def noted(what: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def note(*given: Any) -> Any:
            done.append(what)
            return call(*given)

        return note

    kept.prompt(GOVERNED)  # the first of a day moves the clock mark
    kept.session = "another"
    monkeypatch.setattr(snapshot, "_DECODED", [])
    monkeypatch.setattr(DirectoryStore, "__init__", noted("open", DirectoryStore.__init__))
    monkeypatch.setattr(index, "decode", noted("index", index.decode))
    monkeypatch.setattr(trusted, "decode", noted("state", trusted.decode))
    monkeypatch.setattr(Answering, "afterwards", lambda *_: None)  # the client has its answer by then
    assert DEPLOYS in kept.prompt(GOVERNED)
    assert sorted(done) == ["index", "open", "state"]


def test_an_ungoverned_prompt_gets_one_line_that_grants_nothing(kept: Session) -> None:
    assert kept.prompt("Tell me a joke about cats") == wording.CHECKED
    assert "grants nothing" in wording.CHECKED


def test_after_a_correction_the_next_prompt_gets_the_new_text_and_never_the_old(kept: Session) -> None:
    from upheld.compose.library import open as open_memory

    open_memory(kept.project / ".upheld").correct("deploys", "Deploy on Thursdays.", because="agreed")
    said = kept.prompt(GOVERNED)
    assert "Deploy on Thursdays." in said and DEPLOYS not in said


def test_a_text_that_was_edited_behind_our_back_is_refused_and_does_not_arrive(kept: Session) -> None:
    [source] = (kept.project / ".upheld" / "sources").glob("deploys.*")
    source.chmod(0o644)
    source.write_text("Deploy at any time.")
    said = kept.prompt(GOVERNED)
    assert "REFUSED: `deploys`" in said and "HSH001" in said and "no permission" in said
    assert "Deploy at any time" not in said and DEPLOYS not in said


def test_an_older_copy_of_the_whole_store_is_refused_and_nothing_arrives(session: Session) -> None:
    memory = session.keep()
    shutil.copytree(memory.path, session.folder / "old")
    memory.correct("deploys", "Deploy on Thursdays.", because="agreed")
    shutil.rmtree(memory.path)
    shutil.copytree(session.folder / "old", memory.path)
    said = session.prompt(GOVERNED)
    assert "REFUSED" in said and "RBK001" in said and "whole memory" in said
    assert DEPLOYS not in said and "Thursdays" not in said


def test_a_pinned_store_that_is_gone_is_refused_loudly_at_every_event(kept: Session) -> None:
    shutil.rmtree(kept.project / ".upheld")
    assert "RBK004" in kept.prompt(GOVERNED)
    assert "RBK004" in kept.context("session-start", source="startup")
    assert "RBK004" in kept.context("subagent-start", agent_id="a")
    assert "RBK004" in kept.context("before-tool", tool_name="Bash", tool_input={"command": "ls"})


def test_where_there_is_neither_a_store_nor_a_pin_nothing_is_said(session: Session) -> None:
    for event, payload in (
        ("prompt", {"prompt": GOVERNED}),
        ("session-start", {"source": "startup"}),
        ("subagent-start", {}),
        ("before-tool", {"tool_name": "Bash", "tool_input": {"command": "ls"}}),
    ):
        assert session.ask(event, **payload) == {}
    assert session.log() == []


def test_several_keys_that_may_govern_come_as_candidates_without_a_text(session: Session) -> None:
    memory = session.keep()
    memory.triggers.add("notes", _commands("kubectl apply"))
    said = session.context("before-tool", tool_name="Bash", tool_input={"command": "kubectl apply -f x"})
    assert "deploys: Before deploying to production." in said and "notes: Before writing release notes." in said
    assert DEPLOYS not in said and NOTES not in said
    assert session.log()[-1]["outcome"] == "ambiguous"


def _commands(*patterns: str) -> TriggerEdit:

    return TriggerEdit(commands=patterns)


def test_keys_that_load_together_arrive_together(session: Session) -> None:

    memory = session.keep()
    memory.triggers.add("notes", TriggerEdit(commands=("kubectl apply",), together_with=("deploys",)))
    memory.triggers.add("deploys", TriggerEdit(together_with=("notes",)))
    said = session.context("before-tool", tool_name="Bash", tool_input={"command": "kubectl apply -f x"})
    assert DEPLOYS in said and NOTES in said


def test_what_has_no_room_is_named_and_the_whole_stays_within_the_limit(session: Session) -> None:

    memory = session.keep()
    long = "Do this with care, and write down every step of it. " * 140
    memory.correct("deploys", f"Deploy on Tuesdays.\n\n{long}", because="agreed")
    memory.correct("notes", f"Use the past tense.\n\n{long}", because="agreed")
    memory.triggers.add("notes", TriggerEdit(commands=("kubectl apply",), together_with=("deploys",)))
    memory.triggers.add("deploys", TriggerEdit(together_with=("notes",)))
    said = session.context("before-tool", tool_name="Bash", tool_input={"command": "kubectl apply -f x"})
    assert len(said) <= wording.LIMIT
    assert "`upheld recall notes` before you act" in said


def test_without_a_route_index_the_prompt_counts_as_unchecked(kept: Session) -> None:
    shutil.rmtree(kept.state / "routes")
    assert kept.prompt(GOVERNED) == wording.fault("TRG008")


def test_a_proposal_is_in_no_answer(session: Session) -> None:
    memory = session.keep()
    memory.propose("lunch", "Always order pizza for lunch meetings.", when="Before ordering lunch.", because="x")
    assert "pizza" not in session.prompt("Before ordering lunch.")
    start = session.context("session-start", source="startup")
    assert "pizza" not in start and "lunch" not in start and "1 proposal waits" in start


def test_what_was_served_is_remembered_so_that_it_is_no_news_when_proposed(kept: Session) -> None:
    kept.prompt(GOVERNED)
    store = str(kept.project / ".upheld")
    place = StateReader(str(kept.state), store).place
    assert TextMemory(str(kept.state), place).load().served


# --- session start and subagents ------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_opens_with_the_index_and_what_silence_means(kept: Session, source: str) -> None:
    said = kept.context("session-start", source=source)
    assert "deploys: Before deploying to production." in said and "notes: " in said
    assert "without Upheld's line was not checked" in said
    assert DEPLOYS not in said and NOTES not in said
    assert len(said) <= wording.LIMIT
    assert all(line.startswith("[upheld] ") for line in said.splitlines())


def test_a_client_that_hands_over_no_prompt_is_told_so(kept: Session) -> None:
    kept.client = "cursor"
    said = kept.ask("session-start", source="startup")["additional_context"]
    assert "no prompt is checked" in said and "upheld route" in said


def test_what_is_due_is_named(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.keep()
    from upheld.compose.clock import today
    from upheld.wire.day import days_after

    later = days_after(today(), 100)
    for module in ("upheld.compose.clock", "upheld.compose.gate"):
        monkeypatch.setattr(f"{module}.today", lambda: later)
    said = session.context("session-start", source="startup")
    assert "due for a person's review" in said and "`deploys`, `notes`" in said


def test_a_subagent_gets_the_index_too(kept: Session) -> None:
    assert "deploys: " in kept.context("subagent-start", agent_id="a", agent_type="general")


def test_a_sealed_store_that_is_not_pinned_here_is_named_once_with_the_command(
    kept: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(kept.folder / "elsewhere"))
    said = kept.context("session-start", source="startup")
    assert "RBK006" in said and "upheld trust pin " in said and "deploys" not in said
    assert kept.prompt(GOVERNED) == ""
    assert kept.context("before-tool", tool_name="Deploy", tool_input={}) == ""


def test_an_unsealed_store_is_read_only_where_the_person_allowed_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from demo_store import make_store
    from upheld.cli.main import main as upheld

    store = make_store(session.project / ".upheld")
    assert "SIG001" in session.context("session-start", source="startup")
    assert session.prompt("Before writing or changing release notes") == ""
    monkeypatch.setattr("upheld.cli.asking.person", lambda: io.StringIO("yes\n"))
    assert upheld(["trust", "allow-unsealed", "--store", str(store)]) == 0
    session.session = "session-2"
    assert upheld(["triggers", "build", "--store", str(store), "--unsealed"]) == 0
    said = session.prompt("Before writing or changing release notes")
    assert "UNSEALED, so nothing says who wrote it" in said
    assert "UNSEALED" in session.context("session-start", source="startup")


# --- before a tool --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "given", "text"),
    [
        ("Bash", {"command": "kubectl apply -f x.yaml"}, DEPLOYS),
        ("Deploy", {}, DEPLOYS),
        ("Edit", {"file_path": "{project}/CHANGELOG.md", "old_string": "a", "new_string": "b"}, NOTES),
        ("Read", {"file_path": "CHANGELOG.md"}, NOTES),
        ("apply_patch", {"command": "*** Begin Patch\n*** Update File: CHANGELOG.md\n*** End Patch"}, NOTES),
    ],
)
def test_a_tool_call_gets_what_governs_its_path_tool_or_command(
    kept: Session, tool: str, given: dict[str, str], text: str
) -> None:
    made = {name: value.replace("{project}", str(kept.project)) for name, value in given.items()}
    assert text in kept.context("before-tool", tool_name=tool, tool_input=made)


def test_a_tool_call_that_nothing_governs_gets_nothing(kept: Session) -> None:
    assert kept.ask("before-tool", tool_name="Bash", tool_input={"command": "ls"}) == {}


def test_a_text_that_this_session_has_is_not_given_before_every_tool_call(kept: Session) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": "kubectl apply -f x"}}
    assert DEPLOYS in kept.context("before-tool", tool_use_id="1", **call)
    again = kept.context("before-tool", tool_use_id="2", **call)
    assert DEPLOYS not in again and "checked again: `deploys` governs this" in again
    assert DEPLOYS in kept.context("before-tool", tool_use_id="3", agent_id="another", **call)
    kept.context("session-start", source="compact")
    assert DEPLOYS in kept.context("before-tool", tool_use_id="4", **call)


def test_an_agent_is_denied_what_only_a_person_may_do(kept: Session) -> None:
    said = kept.ask("before-tool", tool_name="Bash", tool_input={"command": "upheld approve ID --yes"})
    specific = said["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny" and "POL063" in specific["permissionDecisionReason"]
    edit = {"file_path": str(kept.project / ".upheld/index.json"), "old_string": "a", "new_string": "b"}
    assert (
        kept.ask("before-tool", tool_name="Edit", tool_input=edit)["hookSpecificOutput"]["permissionDecision"] == "deny"
    )
    state = {"file_path": str(kept.state / "places/x.json"), "content": "{}"}
    assert (
        kept.ask("before-tool", tool_name="Write", tool_input=state)["hookSpecificOutput"]["permissionDecision"]
        == "deny"
    )
    assert kept.ask("before-tool", tool_name="Read", tool_input={"file_path": edit["file_path"]}) == {}


def test_a_denial_is_never_taken_for_a_repetition(kept: Session) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": "upheld approve ID"}, "tool_use_id": "1"}
    assert kept.ask("before-tool", **call) == kept.ask("before-tool", **call) != {}


# --- twice ----------------------------------------------------------------------------------------------------------


def test_two_hook_files_of_one_client_say_it_once(kept: Session) -> None:
    assert kept.prompt(GOVERNED, prompt_id="p1") != ""
    assert kept.prompt(GOVERNED, prompt_id="p1") == ""
    assert [line["outcome"] for line in kept.log()] == ["match", "repeated"]


def test_the_same_words_sent_again_are_answered_again(kept: Session) -> None:
    assert kept.prompt(GOVERNED, prompt_id="p1") != ""
    assert kept.prompt(GOVERNED, prompt_id="p2") != ""
    kept.session = "session-2"
    assert kept.prompt(GOVERNED, prompt_id="p1") != ""


def test_without_a_name_for_the_turn_a_claim_counts_for_a_moment(tmp_path: Path) -> None:
    folder = str(tmp_path / "marks")
    now = time.time()
    assert Marks(folder).is_first("s", "prompt", "x")
    assert not Marks(folder).is_first("s", "prompt", "x")
    assert Marks(folder, now=now + 5).is_first("s", "prompt", "x")
    assert Marks(folder, now=now + 9_000).is_first("s", "prompt", "y")


def test_marks_that_count_no_more_are_swept(tmp_path: Path) -> None:
    folder = tmp_path / "marks"
    Marks(str(folder)).is_first("old")
    [old] = folder.iterdir()
    os.utime(old, (0, 0))
    Marks(str(folder)).is_first("new")
    Marks(str(folder)).sweep()
    assert not old.exists() and len(list(folder.iterdir())) == 1


def test_where_no_mark_can_be_written_it_is_said_all_the_same(kept: Session) -> None:
    (kept.state / "hooks").mkdir(exist_ok=True)
    (kept.state / "hooks" / "once").write_text("in the way")
    assert DEPLOYS in kept.prompt(GOVERNED, prompt_id="p1")
    assert DEPLOYS in kept.prompt(GOVERNED, prompt_id="p1")


# --- our own text ---------------------------------------------------------------------------------------------------

FRAME = frame(
    "# Deploys\n\nBefore writing release notes.\n",
    Provenance(key="k", source="s", sha256="0" * 64, standing="verified"),
)


@pytest.mark.parametrize(
    ("prompt", "left"),
    [
        ("Fix the bug.", "Fix the bug."),
        (f"{wording.CHECKED}Fix the bug.", "Fix the bug."),
        (f"{FRAME}Fix the bug.", "Fix the bug."),
        (f"<hook_context>{wording.CHECKED}{FRAME}</hook_context>\n\nFix the bug.", "Fix the bug."),
        (f"<hook_context>{wording.entry('k', 'Before deploying')}</hook_context>Fix the bug.", "Fix the bug."),
        (f"Fix the bug.\n{FRAME}And the other.", "Fix the bug.\nAnd the other."),
        (FRAME, ""),
        ("[upheld 5f0c9a31be77] memory `x`: verified\nFix the bug.", "Fix the bug."),
        ("[upheld 5f0c9a31be77] end of `x`\n[upheld 5f0c9a31be77] memory `x`\nFix the bug.", "Fix the bug."),
        (f"<hook_context>{FRAME[:-40]}</hook_context>\n\nFix the bug.", "Fix the bug."),
        ("Say <hook_context> and [upheld] inside a line.", "Say <hook_context> and [upheld] inside a line."),
    ],
)  # fmt: skip
def test_our_own_text_is_taken_out_of_a_prompt(prompt: str, left: str) -> None:
    assert without_own_text(prompt) == left


def test_our_own_text_is_never_routed_on(kept: Session) -> None:
    said = kept.context("session-start", source="startup")
    assert kept.prompt(f"<hook_context>{said}</hook_context>\n\nTell me a joke about cats") == wording.CHECKED
    given = kept.prompt(GOVERNED)
    assert kept.prompt(f"{given}Tell me a joke about cats") == wording.CHECKED
    assert kept.prompt(given, prompt_id="x") == wording.OWN_TEXT


def test_an_imitated_frame_that_never_ends_hides_nothing_of_the_prompt(kept: Session) -> None:
    assert DEPLOYS in kept.prompt(f"[upheld 5f0c9a31be77] memory `x`: verified\n{GOVERNED}")


# --- places ---------------------------------------------------------------------------------------------------------


def test_an_agent_that_walks_elsewhere_does_not_leave_its_memory(
    kept: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(kept.project))
    assert DEPLOYS in kept.prompt(GOVERNED, cwd=str(kept.folder))


def test_a_variable_that_a_project_brings_does_not_silence_the_memory_pinned_here(
    kept: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = kept.folder / "other" / ".upheld"
    shutil.copytree(kept.project / ".upheld", other)
    monkeypatch.setenv("UPHELD_STORE", str(other))
    said = kept.prompt(GOVERNED)
    assert DEPLOYS not in said
    assert said.startswith("[upheld] Memory could not be checked")


def test_a_folder_below_and_one_behind_a_link_are_the_same_project(kept: Session) -> None:
    (kept.project / "src").mkdir()
    (kept.folder / "link").symlink_to(kept.project)
    assert DEPLOYS in kept.prompt(GOVERNED, cwd=str(kept.project / "src"))
    kept.session = "another"
    assert DEPLOYS in kept.prompt(GOVERNED, cwd=str(kept.folder / "link"))
    kept.session = "a third"
    assert DEPLOYS in kept.prompt(GOVERNED, cwd=str(kept.project / "gone" / "for" / "good"))


# --- faults, and what policy makes of them ---------------------------------------------------------------------------


def test_a_fault_is_one_constant_sentence_and_stops_nothing(kept: Session) -> None:
    said = kept.raw("prompt", b"{")
    assert said == {
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": wording.fault("POL061")}
    }


def test_policy_may_have_a_fault_stop_the_prompt(kept: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from upheld.cli.main import main as upheld

    store = str(kept.project / ".upheld")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(kept.project))
    assert upheld(["trust", "policy", "--on-hook-fault", "block", "--yes", "--store", store]) == 0
    monkeypatch.setenv("UPHELD_STORE", store)
    assert kept.raw("prompt", b"{") == {"decision": "block", "reason": wording.fault("POL061")}
    denied = kept.raw("before-tool", b"{")["hookSpecificOutput"]
    assert denied["permissionDecision"] == "deny"
    assert "additionalContext" in kept.raw("session-start", b"{")["hookSpecificOutput"]
    assert DEPLOYS in kept.prompt(GOVERNED)
    assert upheld(["trust", "policy", "--on-hook-fault", "say", "--yes", "--store", store]) == 0
    assert "additionalContext" in kept.raw("prompt", b"{")["hookSpecificOutput"]


def test_another_verdict_on_the_same_prompt_is_said_however_soon_it_comes(kept: Session) -> None:
    """Only what was said already is not said again: the second of two hooks must not swallow a refusal."""
    asked = {"prompt": "Before deploying to production.", "prompt_id": "turn-1"}
    assert DEPLOYS.splitlines()[-1] in kept.context("prompt", **asked)
    assert kept.context("prompt", **asked) == ""
    for source in (kept.project / ".upheld" / "sources").iterdir():
        source.chmod(0o644)
        source.write_bytes(source.read_bytes() + b"And be quick.\n")
    said = kept.context("prompt", **asked)
    assert "REFUSED" in said and "HSH001" in said
    assert kept.context("prompt", **asked) == ""


def chosen_to_stop(kept: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from upheld.cli.main import main as upheld

    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(kept.project))
    monkeypatch.setenv("UPHELD_STORE", str(kept.project / ".upheld"))
    assert upheld(["trust", "policy", "--on-hook-fault", "block", "--yes"]) == 0


@pytest.mark.parametrize("is_chosen", [True, False])
@pytest.mark.parametrize("folder", ["places", "accepted"])
def test_a_damaged_trusted_state_does_not_switch_a_chosen_stop_off(
    kept: Session, monkeypatch: pytest.MonkeyPatch, is_chosen: bool, folder: str
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(kept.project))
    if is_chosen:
        chosen_to_stop(kept, monkeypatch)
    damaged = [path for path in Path(state_root(os.environ)).rglob("*") if path.is_file() and folder in path.parts]
    assert damaged
    for path in damaged:
        path.write_bytes(b"{")
    assert (kept.raw("prompt", b"{").get("decision") == "block") is is_chosen


def test_a_store_that_nobody_pinned_stops_nothing(kept: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own word counts only where a pin was, or any repository that is checked out could stop prompts."""
    chosen_to_stop(kept, monkeypatch)
    shutil.rmtree(state_root(os.environ))
    assert kept.raw("prompt", b"{").get("decision") != "block"
