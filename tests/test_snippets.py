"""The runner of snippets fails where it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from snippets import Block, Runner, SnippetError, blocks, fits, steps


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    return Runner(home=home, scratch=scratch)


def page(*lines: str) -> list[Block]:
    return blocks("\n".join(lines), "page.md")


def session(*lines: str) -> Block:
    return Block(page="page.md", line=1, language="console", text="".join(f"{line}\n" for line in lines))


def test_blocks_are_found_with_their_place_language_and_exemption() -> None:
    found = page("# T", "```console", "$ true", "```", "", "<!-- not run: needs a key -->", "~~~python", "f()", "~~~")
    assert [(block.line, block.language, block.text, block.runs) for block in found] == [
        (2, "console", "$ true\n", True),
        (7, "python", "f()\n", False),
    ]
    assert found[1].reason == "needs a key"


def test_an_indented_block_loses_its_indentation_and_a_longer_fence_holds_a_shorter_one() -> None:
    assert page("* a", "    ```python", "    if 1:", "        f()", "    ```")[0].text == "if 1:\n    f()\n"
    assert page("````markdown", "```console", "````")[0].text == "```console\n"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("```console", "$ true"), "never closed"),
        (("<!-- not run: -->", "```console", "```"), "needs a reason"),
        (("<!-- not run: why -->", "", "```console", "```"), "right before a block"),
        (("<!-- not run: why -->",), "right before a block"),
        (("```bash", "rm -rf x", "```"), "mark `bash` as console"),
    ],
)
def test_a_malformed_page_is_an_error(lines: tuple[str, ...], said: str) -> None:
    with pytest.raises(SnippetError, match=said):
        page(*lines)


def test_a_session_is_commands_with_their_output_and_exit_code() -> None:
    first, second = steps(session("$ one \\", "> two", "out", "", "more", "[exit 4]", "$ three"))
    assert (first.line, first.command, first.expected, first.exit_code) == (2, "one \\\ntwo", ("out", "", "more"), 4)
    assert (second.line, second.command, second.expected, second.exit_code) == (8, "three", (), 0)


def test_a_session_begins_with_a_command() -> None:
    with pytest.raises(SnippetError, match=r"page\.md:2"):
        steps(session("output of nothing"))


@pytest.mark.parametrize(
    ("expected", "printed", "answer"),
    [
        ((), (), True),
        ((), ("noise",), False),
        (("a",), ("b",), False),
        (("a", "...", "z"), ("a", "z"), True),
        (("a", "...", "z"), ("a", "1", "2", "z"), True),
        (("a", "...", "z"), ("a", "1", "2"), False),
        (("id ... of 3",), ("id 7f2a of 3",), True),
        (("id ... of 3",), ("id 7f2a", " of 3"), False),
        (("a.c",), ("abc",), False),
        (("...",), (), True),
    ],
)
def test_three_dots_stand_for_lines_or_for_text(
    expected: tuple[str, ...], printed: tuple[str, ...], answer: bool
) -> None:
    assert fits(expected, printed) is answer


@pytest.mark.parametrize(
    "block",
    [
        session("$ echo shown", "something else"),
        session("$ echo unannounced"),
        session("$ false"),
        session("$ true", "[exit 1]"),
        session("$ echo to-stderr >&2"),
        Block(page="page.md", line=1, language="pycon", text=">>> 1 + 1\n3\n"),
    ],
    ids=["other output", "output not shown", "exit code not shown", "exit code wrong", "stderr not shown", "doctest"],
)
def test_what_does_not_happen_fails(runner: Runner, block: Block) -> None:
    with pytest.raises(SnippetError, match=r"page\.md"):
        runner.run(block)


def test_a_failing_python_block_names_the_line_of_the_page(runner: Runner) -> None:
    block = Block(page="page.md", line=10, language="python", text="x = 1\nassert x == 2\n")
    with pytest.raises(AssertionError) as caught:
        runner.run(block)
    last = caught.traceback[-1]
    assert (str(last.path), last.lineno + 1) == ("page.md", 12)


def test_directory_variables_and_names_last_to_the_end_of_the_page(runner: Runner) -> None:
    for block in page(
        "```console", "$ mkdir deep && cd deep", "$ export WHO='a b'", "```",
        "```console", '$ basename "$PWD"; echo "$WHO"', "deep", "a b", "```",
        "```python", "import pathlib", "where = pathlib.Path('deep')", "assert where.is_dir()", "```",
        "```pycon", ">>> where.name", "'deep'", ">>> n = 2", "```",
        "```python", "assert n == 2", "```",
    ):  # fmt: skip
        runner.run(block)


def test_a_command_that_ends_its_shell_still_hands_on_where_it_stood(runner: Runner) -> None:
    runner.run(session("$ mkdir in; cd in; exit 3", "[exit 3]", '$ basename "$PWD"', "in"))


def test_home_and_xdg_lie_inside_and_the_person_stays_outside(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPHELD_STORE", "/somewhere/of/mine")
    block = session('$ echo "${UPHELD_STORE-unset}"', "unset", '$ test "$HOME" = "$PWD"', "$ ls")
    runner.run(block)
    assert {
        Path(place).is_relative_to(runner.home) for name, place in runner.environment().items() if "XDG" in name
    } == {True}
    runner.run(Block(page="p", line=1, language="python", text="import os; assert 'UPHELD_STORE' not in os.environ"))
