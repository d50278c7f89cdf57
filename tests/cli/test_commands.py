"""The commands in process: outcomes, exit codes, formats, options before and after the verb, and what errors say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

import upheld
from demo_store import make_store
from upheld.cli import explain_command
from upheld.cli.app import COMMANDS, app
from upheld.cli.main import main
from upheld.compose.clock import today
from upheld.model.answer import Answer
from upheld.model.codes import CODES
from upheld.render.explain import page
from upheld.render.formats import FORMATS
from upheld.services.demo.store import days_from

Capture = pytest.CaptureFixture[str]
KEY = "release-notes"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sound store, named by the environment."""
    folder = make_store(tmp_path / "store")
    monkeypatch.setenv("UPHELD_STORE", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def spoilt(store: Path) -> Path:
    """The same store after somebody edited a source."""
    source = store / "sources/release-notes-v2.md"
    source.write_bytes(source.read_bytes().replace(b"must", b"may"))
    return store


def words(value: object) -> str | None:
    """Show a list of arguments in a test's name as one would type it."""
    return " ".join(value) if isinstance(value, list) else None


def run(capture: Capture, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    output, errors = capture.readouterr()
    return code, output, errors


def said(capture: Capture, *arguments: str) -> dict[str, Any]:
    _, output, _ = run(capture, *arguments, "--format", "json")
    return dict(json.loads(output))


# --- exit codes (DESIGN section 4) --------------------------------------------------------------------------------


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["recall", KEY, "--unsealed"], 0),
        (["recall", KEY], 4),
        (["recall", "no-such-key", "--unsealed"], 4),
        (["verify", "--unsealed"], 0),
        (["verify"], 3),
        (["history", KEY, "--unsealed"], 0),
        (["history", KEY], 4),
        (["history", "no-such-key", "--unsealed"], 4),
        (["index", "--unsealed"], 0),
        (["index"], 4),
        (["explain"], 0),
        (["explain", "HSH001"], 0),
        (["explain", "no-such-code"], 2),
        (["where"], 0),
        (["where", "--store", "elsewhere"], 10),
        (["recall", KEY, "--store", "elsewhere"], 10),
        (["verify", "--store", "elsewhere"], 10),
        (["recall", KEY, "--as-of", "2026-02-30"], 2),
        (["verify", "--as-of", "yesterday"], 2),
        (["recall"], 2),
        (["recall", KEY, "another"], 2),
        (["no-such-command"], 2),
        (["verify", "--no-such-option"], 2),
        (["--format", "xml", "verify"], 2),
        (["index", "--budget", "-1"], 2),
        ([], 0),
        (["--help"], 0),
        (["--version"], 0),
    ],
    ids=words,
)
def test_exit_codes_of_a_sound_store(capsys: Capture, arguments: list[str], code: int) -> None:
    assert run(capsys, *arguments)[0] == code


@pytest.mark.usefixtures("spoilt")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["recall", KEY, "--unsealed"], 4),
        (["recall", "support-hours", "--unsealed"], 0),
        (["verify", "--unsealed"], 1),
        (["verify"], 1),
        (["history", KEY, "--unsealed"], 1),
        (["index", "--unsealed"], 0),
    ],
    ids=words,
)
def test_exit_codes_of_a_spoilt_store(capsys: Capture, arguments: list[str], code: int) -> None:
    assert run(capsys, *arguments)[0] == code


def test_a_store_without_a_key_is_not_verified_however_it_is_read(store: Path, capsys: Capture) -> None:
    (store / "index.json").write_text('{"schema_version": "1.0", "entries": []}')
    for path in [*(store / "records").iterdir(), *(store / "sources").iterdir()]:
        path.unlink()
    code, output, _ = run(capsys, "verify", "--unsealed")
    assert code == 3
    assert "verdict: unverified" in output


@pytest.mark.parametrize("damage", [b"", b"\xef\xbb\xbf{}", b"{", b"[]", b'{"entries": 1}', b'{"a": 1, "a": 1}'])
@pytest.mark.parametrize("arguments", [["recall", KEY], ["verify"], ["history", KEY], ["index"]], ids=words)
def test_a_broken_index_is_refused_by_its_code_and_never_called_busy(
    store: Path, capsys: Capture, damage: bytes, arguments: list[str]
) -> None:
    (store / "index.json").write_bytes(damage)
    for form in FORMATS:
        code, output, errors = run(capsys, *arguments, "--unsealed", "--format", form)
        assert code == (1 if arguments == ["verify"] else 4)
        assert "FMT0" in output
        assert errors == ""


# --- formats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("arguments", [["recall", KEY], ["verify"], ["history", KEY]], ids=words)
def test_every_format_names_the_fault(spoilt: Path, capsys: Capture, arguments: list[str], form: str) -> None:
    _, output, errors = run(capsys, *arguments, "--unsealed", "--format", form)
    assert "HSH001" in output or (form == "concise" and arguments[0] == "history" and "failed" in output)
    assert errors == ""
    if form in ("json", "sarif"):
        json.loads(output)
    if form == "github" and arguments[0] != "history":
        assert f"::error file={spoilt.name}/sources/release-notes-v2.md,title=HSH001" in output


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("arguments", [["recall", KEY], ["verify"], ["history", KEY], ["index"]], ids=words)
def test_options_count_before_and_after_the_verb(capsys: Capture, arguments: list[str], form: str) -> None:
    after = run(capsys, *arguments, "--unsealed", "--format", form)
    before = run(capsys, "--unsealed", f"--format={form}", *arguments)
    assert before == after
    assert after[0] == 0


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("form", ["sarif", "github"])
@pytest.mark.parametrize("arguments", [["where"], ["explain"], ["explain", "HSH001"], ["demo"]], ids=words)
def test_a_format_that_does_not_fit_is_a_usage_error(capsys: Capture, arguments: list[str], form: str) -> None:
    code, output, errors = run(capsys, *arguments, "--format", form)
    assert (code, output) == (2, "")
    assert errors.startswith(f"error: --format {form}")


@pytest.mark.usefixtures("store")
def test_the_json_of_an_answer_has_the_promised_fields(capsys: Capture) -> None:
    answer = said(capsys, "recall", KEY, "--unsealed")
    promised = {
        "outcome", "hypothetical", "key", "instruction", "text", "source", "record_id", "last_verified", "review_on",
        "expires_on", "as_of", "sealed", "checked", "not_checked",
    }  # fmt: skip
    assert promised <= answer.keys()
    assert (answer["outcome"], answer["sealed"], answer["hypothetical"]) == ("unsealed", False, False)


@pytest.mark.usefixtures("spoilt")
def test_the_json_of_a_refusal_has_the_promised_fields(capsys: Capture) -> None:
    refusal = said(capsys, "recall", KEY, "--unsealed")
    assert {"outcome", "key", "code", "name", "what", "why", "help", "findings"} <= refusal.keys()
    assert (refusal["outcome"], refusal["key"], refusal["code"]) == ("refused", KEY, "HSH001")


# --- recall -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("form", ["text", "concise"])
def test_line_prints_the_instruction_and_nothing_else(capsys: Capture, form: str) -> None:
    code, output, _ = run(capsys, "recall", KEY, "--line", "--unsealed", "--format", form)
    assert code == 0
    assert output == (
        "Write release notes for the person who upgrades: what they can do now, and what they must change first.\n"
    )


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("arguments", [["recall", KEY], ["recall", KEY, "--line"], ["verify"], ["history", KEY]])
def test_another_day_than_today_is_said_first(capsys: Capture, arguments: list[str]) -> None:
    tomorrow = days_from(today(), 2)
    for form in ("text", "concise"):
        _, output, _ = run(capsys, *arguments, "--unsealed", "--as-of", tomorrow, "--format", form)
        said_at = output.index("hypothetical")
        assert said_at == 0 or (form == "concise" and output[said_at - 1] == "\n")
    assert said(capsys, *arguments, "--unsealed", "--as-of", tomorrow)["hypothetical"] is True


@pytest.mark.usefixtures("store")
def test_an_unknown_key_is_refused_with_the_nearest_and_no_hint_to_start_a_second_store(capsys: Capture) -> None:
    code, output, _ = run(capsys, "recall", "release-note", "--unsealed")
    assert code == 4
    assert "= nearest: release-notes" in output
    assert "upheld init" not in output


# --- index --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(("budget", "shown"), [(0, 0), (55, 0), (56, 1), (123, 1), (124, 2)])
def test_the_index_stays_within_its_budget_and_counts_what_was_cut(capsys: Capture, budget: int, shown: int) -> None:
    code, output, _ = run(capsys, "index", "--unsealed", "--budget", str(budget))
    lines = output.splitlines(keepends=True)
    assert code == 0
    assert len(lines) == shown + 1
    assert sum(map(len, lines[:-1])) <= budget
    assert lines[-1].startswith(f"{shown} of 2")
    assert ("did not fit" in lines[-1]) == (shown < 2)
    page = said(capsys, "index", "--unsealed", "--budget", str(budget))
    assert (page["shown"], page["total"], page["cut"]) == (shown, 2, 2 - shown)


def test_a_long_trigger_does_not_make_a_long_line(store: Path, capsys: Capture) -> None:
    index = json.loads((store / "index.json").read_bytes())
    index["entries"][0]["read_when"] = "when " * 2000
    (store / "index.json").write_text(json.dumps(index))
    _, output, _ = run(capsys, "index", "--unsealed")
    assert max(map(len, output.splitlines())) < 400
    assert "(9,840 more characters)" in output


# --- where --------------------------------------------------------------------------------------------------------


def test_where_says_which_store_and_why(store: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(capsys, "where")[1] == f"{store}\nwhy: named by UPHELD_STORE\n"
    assert run(capsys, "where", "--store", "x")[1].startswith(f"{store.parent / 'x'}\nwhy: named with --store\n")
    monkeypatch.delenv("UPHELD_STORE")
    code, _, errors = run(capsys, "where")
    assert code == 10
    assert errors.startswith("error: no store: no .upheld folder here or above\n")
    nearest = make_store(store.parent / ".upheld")
    below = store.parent / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert run(capsys, "where", "--format", "concise")[1] == f"{nearest}\n"
    assert said(capsys, "where")["why"] == f"the nearest .upheld upward from {below}"


# --- explain ------------------------------------------------------------------------------------------------------


def test_explain_lists_every_code_once(capsys: Capture) -> None:
    for form in ("text", "concise"):
        _, output, _ = run(capsys, "explain", "--format", form)
        assert all(output.count(f"{code} {entry.name}: {entry.what}") == 1 for code, entry in CODES.items())
    _, output, _ = run(capsys, "explain", "--format", "json")
    assert [entry["code"] for entry in json.loads(output)] == sorted(CODES)


@pytest.mark.parametrize("asked", ["HSH001", "hsh001", "source-digest-mismatch", "Source-Digest-Mismatch"])
def test_a_code_is_explained_by_its_code_and_by_its_name(capsys: Capture, asked: str) -> None:
    code, output, _ = run(capsys, "explain", asked)
    assert code == 0
    assert "HSH001" in output
    assert said(capsys, "explain", asked)["name"] == "source-digest-mismatch"


@pytest.mark.parametrize(("asked", "near"), [("HSH0001", "HSH001"), ("review-du", "review-due")])
def test_a_misspelt_code_leads_to_the_nearest(capsys: Capture, asked: str, near: str) -> None:
    code, _, errors = run(capsys, "explain", asked)
    assert code == 2
    assert near in errors


def test_explain_shows_the_page_of_a_code(capsys: Capture) -> None:
    _, output, _ = run(capsys, "explain", "HSH001")
    assert output == page("HSH001")
    assert said(capsys, "explain", "HSH001")["page"] == page("HSH001")
    _, output, _ = run(capsys, "explain", "STO007")
    assert output.startswith(page("STO007").rstrip())
    assert output.endswith("(a warning: it refuses nothing)\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_code_without_a_page_is_explained_by_its_row(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    def no_page(code: str) -> str:
        raise KeyError(code)

    monkeypatch.setattr(explain_command, "page", no_page)
    code, output, _ = run(capsys, "explain", "HSH001", "--format", form)
    assert code == 0
    assert CODES["HSH001"].what in output
    assert ("# HSH001" in output) == (form == "text")


# --- what errors say ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (["recall", "x", "--store", "no-such-folder", "--format", "json"], 10),
        (["--format=json", "verify", "--store", "no-such-folder"], 10),
        (["recall", "--format", "json"], 2),
        (["verify", "--no-such-option", "--format", "json"], 2),
        (["no-such-command", "--format", "json"], 2),
    ],
)
def test_who_asks_for_json_gets_json_whatever_goes_wrong(capsys: Capture, arguments: list[str], exit_code: int) -> None:
    code, output, errors = run(capsys, *arguments)
    made = json.loads(output)
    assert (code, made["outcome"], errors) == (exit_code, "error", "")
    assert set(made) == {"outcome", "message", "help"}
    assert made["message"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "--format", "text"],
        ["recall", "--format", "json", "--format=text"],
        ["recall", "--", "--format=json"],
    ],
)
def test_who_does_not_gets_text_on_standard_error(capsys: Capture, arguments: list[str]) -> None:
    code, output, errors = run(capsys, *arguments, "--store", "no-such-folder")
    assert code in (2, 10)
    assert output == ""
    assert errors.startswith("error: ")


@pytest.mark.parametrize(("typed", "meant"), [("recal", "recall"), ("verfy", "verify"), ("histroy", "history")])
def test_a_misspelt_command_leads_to_the_nearest(capsys: Capture, typed: str, meant: str) -> None:
    code, output, errors = run(capsys, typed)
    assert (code, output) == (2, "")
    assert errors == f"error: there is no command `{typed}`; did you mean `{meant}`?\n  = help: `upheld --help`\n"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("typed", ["\x1b[2J", "a\r::error::b", "\u202e"])
def test_no_argument_acts_on_the_terminal_through_an_error(capsys: Capture, typed: str) -> None:
    for arguments in ([typed], ["recall", "x", f"--{typed}"], ["explain", typed], ["verify", "--as-of", typed]):
        code, output, errors = run(capsys, *arguments)
        assert (code, output) == (2, "")
        assert errors.replace("\n", "").isprintable()
        assert "\n::" not in errors


NO_FORMAT = {"hook", "mcp"}
"""What speaks a protocol instead of an output format."""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(capsys: Capture, command: str) -> None:
    code, output, _ = run(capsys, command, "--help")
    assert code == 0
    assert f"\n    upheld {command}" in output.partition("  Examples:\n")[2].join(("\n", ""))
    is_group = isinstance(app.get_command(click.Context(app), command), click.Group)
    assert is_group or command in NO_FORMAT or "Output format" in output


def test_upheld_alone_prints_the_commands(capsys: Capture) -> None:
    code, output, _ = run(capsys)
    assert code == 0
    assert all(f"  {command} " in output for command in COMMANDS)
    assert "..." not in output.partition("Commands:")[2], "a short help that is cut helps nobody"


# --- the same by library ------------------------------------------------------------------------------------------


def test_what_a_command_does_is_a_library_call_of_the_same_name(store: Path, capsys: Capture) -> None:
    memory = upheld.open(store, unsealed=True)
    answer = memory.recall(KEY).require()
    assert isinstance(answer, Answer)
    assert said(capsys, "recall", KEY, "--unsealed")["text"] == answer.text
    assert said(capsys, "verify", "--unsealed")["outcome"] == memory.verify().outcome == "unverified"
    history = memory.history(KEY)
    assert [version["status"] for version in said(capsys, "history", KEY, "--unsealed")["versions"]] == [
        version.status for version in getattr(history, "versions", ())
    ]
    with memory.index() as listing:
        keys = [line.key for line in listing.lines() if hasattr(line, "key")]
    assert [entry["key"] for entry in said(capsys, "index", "--unsealed")["keys"]] == keys
