"""The writing rule: the article's line must be the instruction, and what is mended passes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.policy.instruction import instruction
from upheld.policy.opening import fault, mended

GOOD = "Use the full product name.\n"

BAD = [
    ("POL021", "---\ntitle: x\n---\n" + GOOD, GOOD),
    ("POL021", "+++\ntitle = 'x'\n+++\n\n" + GOOD, GOOD),
    ("POL021", "---\n" + GOOD, GOOD),
    ("POL022", "<!-- owner: x -->\n" + GOOD, GOOD),
    ("POL022", "<!--\nowner: x\n--> \n" + GOOD, GOOD),
    ("POL022", "<!-- owner --> " + GOOD, GOOD),
    ("POL022", "// owner: x\n" + GOOD, GOOD),
    ("POL022", "/* owner */\n" + GOOD, GOOD),
    ("POL022", "<!-- never closed\n" + GOOD, None),
    ("POL023", "#policy\n" + GOOD, "# policy\n" + GOOD),
    ("POL023", "# Copy\n#customer-copy\n\n" + GOOD, "# Copy\n# customer-copy\n\n" + GOOD),
    ("POL023", "####### seven\n" + GOOD, "# seven\n" + GOOD),
    ("POL024", "```\ncode\n```\n" + GOOD, None),
    ("POL024", "***\n" + GOOD, GOOD),
    ("POL024", "Copy policy\n===========\n\n" + GOOD, "# Copy policy\n\n" + GOOD),
    ("POL025", "Use the full product name in\ncustomer-facing copy.\n", "Use the full product name in customer-facing copy.\n"),
    ("POL025", "# Copy\n\nUse the\nfull\nname.\n\nMore.\n", "# Copy\n\nUse the full name.\n\nMore.\n"),
    ("POL025", "- Use the full name in\n  customer copy.\n- More.\n", "- Use the full name in customer copy.\n- More.\n"),
    ("POL025", "Use names, e.g.\nthe full one.\n", "Use names, e.g. the full one.\n"),
    ("POL025", "使用产品的\n全称。\n", "使用产品的全称。\n"),
    ("POL020", "# Only a heading\n\n", None),
    ("POL020", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("code", "text", "better"), BAD)
def test_a_bad_opening_is_named_and_mended(code: str, text: str, better: str | None) -> None:
    found = fault(text)
    assert found is not None
    assert found.code == code
    assert mended(text) == better


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "# Copy\n\n" + GOOD,
        "Use the full name.\nReview this when it changes.\n",
        "Use these:\n- one\n- two\n",
        "1. One.\n2. Two.\n",
        "Use it\n\nand more.\n",
        "Use it\n# Heading\n",
        "\n\n  Use it  \n",
    ],
)
def test_a_good_opening_is_left_alone(text: str) -> None:
    assert fault(text) is None
    assert mended(text) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [("# a\n\n b \nc", "b"), ("#a\nb", "b"), ("", None), ("#\n # x\n", None), ("---\nb", "---"), ("a\x0cb", "a")],
)
def test_the_instruction_is_the_articles_line(text: str, line: str | None) -> None:
    assert instruction(text) == line


@given(st.text(alphabet="# -+`~|<!>/*=a.b\n\\", max_size=60))
def test_what_is_mended_has_nothing_left_to_mend_and_keeps_the_readers_line(text: str) -> None:
    better = mended(text)
    if better is not None:
        assert fault(better) is None
        assert instruction(better)
