"""Nothing that is shown can act on a terminal or a build log, hide, or forge a line of ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.render.escape import bounded, escape

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


@given(ANY_TEXT)
def test_one_line_stays_one_printable_line(text: str) -> None:
    assert escape(text).isprintable()


@given(ANY_TEXT)
def test_several_lines_hold_nothing_but_printable_characters_tabs_and_line_feeds(text: str) -> None:
    shown = escape(text, lines=True)
    assert shown.replace("\n", "").replace("\t", "").isprintable()
    assert shown.count("\n") == text.count("\n")


@given(st.text(st.sampled_from(": \t\n\r#[verosabc"), max_size=60))
def test_no_line_is_a_command_of_a_build_service(text: str) -> None:
    for shown in (escape(text), escape(text, lines=True)):
        for line in shown.split("\n"):
            assert not line.lstrip().startswith("::")
            assert "##[" not in line
            assert "##vso[" not in line


@given(st.text(st.characters(categories=["L", "N", "P"], exclude_characters=":#"), max_size=80))
def test_harmless_text_is_left_alone(text: str) -> None:
    assert escape(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("a\r\nb", "a\\r\\nb"),
        ("\U000e0041", "\\U000e0041"),
        ("::error::x", "\\x3a:error::x"),
        ("std::vector", "std::vector"),
        ("##[error]x", "#\\x23[error]x"),
    ],
)
def test_what_is_written_instead(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_a_cut_text_says_how_much_is_missing() -> None:
    assert bounded("a" * 1300, 100) == "a" * 100 + "… (1,200 more characters)"
    assert bounded("abc", 3) == "abc"
