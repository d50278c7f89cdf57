"""Foreign settings keep every byte: golden files, and laws that Hypothesis tries to break."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from connect_golden import CASES, FOLDER
from connect_world import settings
from upheld.services.connect import block, splice
from upheld.services.connect.edit import connected, disconnected, restored
from upheld.services.connect.jsonc import UneditableError, parse
from upheld.services.connect.ours import hook_of

CLIENTS = [("claude", 0), ("claude", 1), ("codex", 0), ("codex", 1), ("gemini", 0), ("agents-md", 0)]


def read(name: str) -> str:
    return (FOLDER / name).read_bytes().decode()


# --- golden files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_realistic_settings_come_out_as_they_were_looked_at(name: str) -> None:
    one = settings(*CASES[name])
    assert connected(read(f"{name}.in"), one) == read(f"{name}.out")


@pytest.mark.parametrize("name", CASES)
def test_realistic_settings_come_back_byte_for_byte(name: str) -> None:
    before, one = read(f"{name}.in"), settings(*CASES[name])
    after = connected(before, one)
    assert connected(after, one) == after
    assert restored(after, before, one) == before


def test_there_are_golden_files_for_every_case_and_no_others() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.{end}" for name in CASES for end in ("in", "out")}


# --- laws -------------------------------------------------------------------------------------------------------------

_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
_LEAVES = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | _WORDS
_VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3), max_leaves=8
)
_HANDLERS = st.lists(st.fixed_dictionaries({"type": st.just("command"), "command": _WORDS}), min_size=1, max_size=2)
_GROUPS = st.lists(st.fixed_dictionaries({"hooks": _HANDLERS}, optional={"matcher": _WORDS}), max_size=3)
_EVENTS = st.sampled_from(["SessionStart", "UserPromptSubmit", "PreToolUse", "BeforeAgent", "Stop"])
_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "model": _LEAVES,
        "hooks": st.dictionaries(_EVENTS, _GROUPS, max_size=4),
        "mcpServers": st.dictionaries(_WORDS.filter(lambda name: name != "upheld"), _VALUES, max_size=3),
        "permissions": _VALUES,
    },
)
_NEWLINES = st.sampled_from(["\n", "\r\n"])
_REMARKS = st.sampled_from(["", " ", ' // mine, not yours: {]",', " /* a, b */", "  "])


@st.composite
def written(draw: st.DrawFn) -> str:
    """Settings in somebody's hand: their indentation, line ends, remarks and trailing commas."""
    tree = draw(_SETTINGS)
    indent = draw(st.sampled_from([None, 2, 4, "\t", 3]))
    text = json.dumps(tree, indent=indent, ensure_ascii=draw(st.booleans()))
    newline = draw(_NEWLINES)
    if indent is not None:
        lines = text.split("\n")
        lines = [line + draw(_REMARKS) if line.endswith((",", "{", "[")) else line for line in lines]
        if draw(st.booleans()) and len(lines) > 2:
            lines[-2] += ","
        text = newline.join(lines)
    return draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", newline, newline * 2]))


def without_ours(tree: Any) -> Any:
    """The values without any entry of ours, and without what is empty because of that."""
    if isinstance(tree, dict):
        kept = {key: without_ours(child) for key, child in tree.items() if key != "upheld"}
        return {key: child for key, child in kept.items() if child not in ({}, [])}
    if isinstance(tree, list):
        kept_items = [without_ours(child) for child in tree if hook_of(child) is None]
        return [child for child in kept_items if child not in ({}, [])]
    return tree


@hypothesis_settings(max_examples=40, deadline=None)
@given(text=written(), which=st.sampled_from([("claude", 0), ("claude", 1), ("codex", 0), ("gemini", 0)]))
def test_disconnecting_undoes_connecting_byte_for_byte(text: str, which: tuple[str, int]) -> None:
    one = settings(*which)
    after = connected(text, one)
    assert restored(after, text, one) == text
    assert connected(after, one) == after
    assert without_ours(parse(after).plain()) == without_ours(parse(text).plain())


@hypothesis_settings(max_examples=40, deadline=None)
@given(text=written(), which=st.sampled_from([("claude", 0), ("gemini", 0)]), indent=st.sampled_from([None, 1, 2, 8]))
def test_what_somebody_formatted_anew_is_found_all_the_same(
    text: str, which: tuple[str, int], indent: int | None
) -> None:
    one = settings(*which)
    formatted = json.dumps(parse(connected(text, one)).plain(), indent=indent, sort_keys=True)
    left = disconnected(formatted, one)
    assert "upheld" not in json.dumps(parse(left).plain()) or "upheld" in json.dumps(parse(text).plain())
    assert without_ours(parse(left).plain()) == without_ours(parse(text).plain())


@hypothesis_settings(max_examples=40, deadline=None)
@given(text=written(), which=st.sampled_from([("claude", 0), ("claude", 1), ("codex", 0), ("gemini", 0)]))
def test_another_environment_takes_the_place_of_the_first(text: str, which: tuple[str, int]) -> None:
    first, second = settings(*which), settings(*which, folder="/elsewhere/bin")
    after = connected(connected(text, first), second)
    assert "/opt/up held" not in after
    assert after.count("/elsewhere/bin") == connected("", second).count("/elsewhere/bin")
    assert restored(after, text, second) == text


@hypothesis_settings(max_examples=40, deadline=None)
@given(path=st.lists(st.sampled_from("abc"), min_size=1, max_size=3), value=_VALUES, text=written())
def test_a_value_that_was_put_is_the_value_that_stands_there(path: list[str], value: object, text: str) -> None:
    after = splice.put(text, tuple(path), value)
    found = parse(after).at(tuple(path))
    assert found is not None
    assert found.plain() == value


_TOML = st.lists(
    st.sampled_from(
        [
            "",
            "# mine",
            'model = "x" # y',
            "[a]",
            "[a.b]",
            "k = [\n  1,\n]",
            '[mcp_servers.docs]\ncommand = "d"',
            "[[t]]",
            "  [c]",
        ]
    ),
    max_size=8,
)


@hypothesis_settings(max_examples=40, deadline=None)
@given(
    lines=_TOML, newline=_NEWLINES, end=st.booleans(), more=st.sampled_from(["", "[z]\nq = 1\n", "\n# about z\n[z]\n"])
)
def test_a_table_comes_and_goes(lines: list[str], newline: str, end: bool, more: str) -> None:
    text = newline.join(lines) + (newline if end else "")
    one = settings("codex", 1)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(UneditableError):
            connected(text, one)
        return
    after = connected(text, one)
    assert connected(after, one) == after
    assert restored(after, text, one) == text
    try:
        before = tomllib.loads(text + newline + more)
    except tomllib.TOMLDecodeError:
        return
    assert tomllib.loads(disconnected(after + more, one)) == before


@hypothesis_settings(max_examples=40, deadline=None)
@given(text=_WORDS, newline=_NEWLINES)
def test_a_block_comes_and_goes(text: str, newline: str) -> None:
    one = settings("agents-md")
    text = f"# Mine{newline}{text}"
    after = connected(text, one)
    assert connected(after, one) == after
    assert restored(after, text, one) == text
    assert not any(found.is_edited for found in block.find(after))


# --- what is left alone -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '{"a": 1',
        '{"a": 1} x',
        "{'a': 1}",
        '{"hooks": []}',
        '{"hooks": {"BeforeAgent": {}}}',
        '{"hooks": {}, "hooks": {}}',
        '{"mcpServers": {"upheld": {"command": "their-own"}}}',
        '{"mcpServers": "none"}',
        "[" * 5000,
    ],
)
def test_what_cannot_be_edited_safely_is_not_edited(text: str) -> None:
    with pytest.raises(UneditableError):
        connected(text, settings("gemini"))


@pytest.mark.parametrize(
    "text",
    [
        "= 1",
        '[mcp_servers]\nupheld = { command = "x" }\n',
        'mcp_servers = { docs = { command = "x" } }\n',
        'mcp_servers = { upheld = { command = "p", args = ["-m", "upheld", "mcp", "--client-name", "codex"] } }\n',
    ],
)
def test_toml_that_cannot_be_edited_safely_is_not_edited(text: str) -> None:
    with pytest.raises(UneditableError):
        connected(text, settings("codex", 1))


def test_a_text_that_only_looks_like_our_table_is_no_table() -> None:
    text = 'note = """\n[mcp_servers.upheld]\n"""\n'
    one = settings("codex", 1)
    after = connected(text, one)
    assert tomllib.loads(after)["note"] == "[mcp_servers.upheld]\n"
    with pytest.raises(UneditableError):
        disconnected(after, one)


def test_hooks_of_others_keep_their_numbers_for_codex_names_trust_by_them() -> None:
    before, after = (parse(read(f"codex-hooks-trusted.{end}")).plain() for end in ("in", "out"))
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    for event, groups in before["hooks"].items():
        assert after["hooks"][event][: len(groups)] == groups


def test_a_hook_that_somebody_moved_into_a_group_of_theirs_leaves_the_group() -> None:
    ours = settings("claude").parts[0].entries["PreToolUse"]  # type: ignore[union-attr]
    theirs = {"type": "command", "command": "mine"}
    text = json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [theirs, ours]}]}}, indent=2)
    left = parse(disconnected(text, settings("claude"))).plain()
    assert left == {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [theirs]}]}}


def test_commands_that_only_speak_of_us_are_not_ours() -> None:
    for command in (
        "echo upheld hook",
        "upheld hook --client claude prompt | tee log",
        "upheld recall x",
        "my-upheld-hook",
    ):
        assert hook_of({"type": "command", "command": command}) is None, command
    for command in ("upheld hook --client claude prompt", "'/a b/upheld' hook --client codex before-tool"):
        assert hook_of({"type": "command", "command": command}) is not None, command
    assert hook_of({"command": "/v/python", "args": ["-I", "-m", "upheld", "hook", "--client", "claude", "prompt"]})


def test_an_edited_block_is_seen_whatever_its_line_ends_are() -> None:
    made = connected("", settings("agents-md"))
    assert not block.find(made.replace("\n", "\r\n"))[0].is_edited
    assert block.find(made.replace("Act only", "Act also"))[0].is_edited


def test_golden_files_are_real_text() -> None:
    assert all(Path(FOLDER, f"{name}.out").stat().st_size > 300 for name in CASES)
