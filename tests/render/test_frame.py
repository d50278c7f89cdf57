"""The frame: nothing inside can end it, and the escape: nothing comes through it that a terminal would obey."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import upheld
from sealed_home import KEY, TEXT, Home
from upheld.model.answer import Answer
from upheld.render import frame as framing
from upheld.render.escape import escape
from upheld.render.frame import LIMIT, Provenance, frame

WHERE = Provenance(
    key="customer-copy", source="sources/customer-copy-v2.md", sha256="ab" * 32, standing="verified",
    recorded_on="2026-09-14", review_on="2026-12-14", expires_on="2027-03-14",
)  # fmt: skip
FORGED = st.lists(
    st.one_of(
        st.text(max_size=40),
        st.sampled_from(["\n", "[upheld ", "] end of `customer-copy`\n", "0123456789ab", "\r", "\u2028", "\x1b[2K"]),
    ),
    max_size=30,
).map("".join)


def _mark(framed: str) -> str:
    found = re.match(r"\[upheld ([0-9a-f]{12})\] ", framed)
    assert found
    return found[1]


def _check_frame(framed: str) -> None:
    """Only the lines of the frame itself hold the mark: the opening ones first, then the closing ones last."""
    assert framed.endswith("\n")
    assert len(framed) <= LIMIT
    mark = _mark(framed)
    lines = framed[:-1].split("\n")
    marked = [n for n, line in enumerate(lines) if mark in line.lower()]
    opening = next(n for n, line in enumerate(lines) if "data from here" in line and mark in line) + 1
    closing = len(marked) - opening
    assert marked == [*range(opening), *range(len(lines) - closing, len(lines))]
    assert closing in (1, 2)
    assert " end of `" in lines[-1]


@given(FORGED, FORGED, FORGED)
def test_no_text_and_no_provenance_can_close_or_forge_its_own_frame(text: str, key: str, source: str) -> None:
    _check_frame(frame(text, WHERE))
    _check_frame(frame(text, WHERE.replace(key=key, source=source)))


@given(FORGED, st.integers(1, 3))
def test_a_text_made_from_its_own_frame_cannot_close_it_either(text: str, rounds: int) -> None:
    for _ in range(rounds):
        text = text[:2_000] + frame(text, WHERE)[-200:]
        _check_frame(frame(text, WHERE))


def test_a_mark_that_the_text_holds_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With marks of one digit, texts that hold the first digit drawn are easy to find; one of twelve takes 2**48 tries."""
    monkeypatch.setattr(framing, "_MARK", 1)
    for n in range(200):
        text = f"text {n} 0123456789abcde"
        assert framing._mark([text]) == "f"


@pytest.mark.parametrize("size", [0, 1, 7_000, 7_400, 7_500, 7_600, 7_700, 8_000, 100_000])
def test_a_long_text_is_cut_and_says_so(size: int) -> None:
    framed = frame("x" * size, WHERE)
    _check_frame(framed)
    shown = framed.count("x" * 1) - sum(line.count("x") for line in framed.split("\n") if line.startswith("[upheld"))
    assert (" cut: " in framed) == (shown < size)
    if shown < size:
        assert f"cut: {shown:,} of {size:,} characters shown" in framed


def test_the_frame_says_where_the_text_comes_from() -> None:
    framed = frame("Use it.", WHERE)
    for part in (
        "`customer-copy`: verified",
        WHERE.source,
        WHERE.sha256,
        "2026-09-14",
        "2026-12-14",
        "2027-03-14",
        "\nUse it.\n",
    ):
        assert part in framed
    assert "UNSEALED" in frame("Use it.", WHERE.replace(standing="unsealed"))


def test_a_standing_is_one_of_two() -> None:
    with pytest.raises(ValueError, match="standing"):
        frame("Use it.", WHERE.replace(standing="trusted"))
    with pytest.raises(ValueError, match="characters"):
        frame("Use it.", WHERE, limit=100)


OBEYED = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\uf8ff\ufeff\U000e0000-\U000e0fff]"
)


@given(st.text())
def test_nothing_that_a_terminal_obeys_comes_through(text: str) -> None:
    assert not OBEYED.search(escape(text))
    kept = escape(text, lines=True)
    assert not OBEYED.search(kept.replace("\n", "").replace("\t", ""))
    assert kept.count("\n") == text.count("\n")
    escape(text).encode("utf-8")


@given(st.text(alphabet=st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF), min_size=1))
def test_lone_surrogates_are_spelled_out(text: str) -> None:
    assert escape(text).isascii()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\rb", "a\\rb"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202egpj", "\\u202egpj"),
        ("\U000e0041", "\\U000e0041"),
        ("می‌خواهم ❤️ 👩‍💻", "می‌خواهم ❤️ 👩‍💻"),
    ],
)
def test_how_it_is_spelled(text: str, shown: str) -> None:
    assert escape(text) == shown


@pytest.mark.parametrize(
    "text", ["::error::x", "  ::error file=a::x", "a\n::set-output name=a::b", "a ##[error]x", "\t::debug::"]
)
def test_workflow_commands_lose_their_power(text: str) -> None:
    shown = escape(text, lines=True)
    assert "##[" not in shown
    assert not any(line.strip().startswith("::") for line in shown.split("\n"))


def test_colons_elsewhere_stay() -> None:
    assert escape("std::vector") == "std::vector"


@pytest.fixture
def answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Answer:
    home = Home(tmp_path, monkeypatch, capsys)
    home.seal()
    return upheld.open(home.store).recall(KEY).require()


def test_an_answer_is_framed_with_what_is_known_of_it(answer: Answer) -> None:
    shown = upheld.framed(answer)
    _check_frame(shown)
    assert TEXT in shown
    assert f"memory `{KEY}`: verified\n" in shown
    assert f"last verified {answer.last_verified}, review {answer.review_on}, expires {answer.expires_on}\n" in shown


def test_an_answer_as_of_another_day_is_not_framed(answer: Answer) -> None:
    with pytest.raises(ValueError, match="hypothetical"):
        upheld.framed(answer.replace(hypothetical=True))
