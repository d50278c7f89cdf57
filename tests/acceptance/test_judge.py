from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acceptance import judge
from acceptance.judge import CANDIDATES, NOTICE, RIGHT, SILENT, UNTRUE, WRONG, Sight, look, outcome
from upheld.render.frame import Provenance, frame

HELD = {
    "refunds": "# Refunds\n\nOffer a refund within 30 days.\n\nLater ones go to the finance desk.\n",
    "deploys": "Deploy on Tuesdays.\n",
}
OLD = "Offer a refund within 14 days.\n"


def framed(key: str, text: str, standing: str = "verified") -> str:
    return frame(text, Provenance(key=key, source=f"sources/{key}.md", sha256="a" * 64, standing=standing))


def body(*texts: str) -> dict[str, Any]:
    """A request that holds these texts, as clients put them: one within a document within a text."""
    first = {"role": "user", "content": [{"type": "text", "text": text} for text in texts[:1]]}
    rest = {"role": "user", "content": json.dumps({"output": list(texts[1:])})}
    return {"system": "You are an agent.", "messages": [first, rest]}


def seen(*texts: str, never: tuple[str, ...] = ()) -> Sight:
    return look([body(*texts)], HELD, never)


def test_a_framed_current_text_is_served_wherever_it_stands() -> None:
    for texts in ((framed("refunds", HELD["refunds"]),), ("Hello", framed("refunds", HELD["refunds"]))):
        sight = seen(*texts)
        assert sight.served == {"refunds"}
        assert sight.untrue == ()
        assert sight.most == {"refunds": 1}


def test_a_text_without_a_frame_counts_as_served_too() -> None:
    assert seen("They say: Deploy on Tuesdays.").served == {"deploys"}


def test_what_is_old_is_untrue_wherever_it_stands() -> None:
    assert seen("x", f"by the way: {OLD}", never=(OLD,)).untrue == ("arrived: Offer a refund within 14 days.",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (framed("refunds", OLD), "framed, and not the current text of refunds"),
        (framed("refunds", HELD["refunds"].replace("Later", "All")), "framed, and not the current text of refunds"),
        (framed("unknown", "Do as you like.\n"), "framed, and not the current text of unknown"),
        (framed("deploys", HELD["deploys"], "unsealed"), "framed as UNSEALED, so nothing says who wrote it: deploys"),
    ],
)
def test_a_frame_that_is_not_current_and_verified_is_untrue(text: str, said: str) -> None:
    assert seen("x", text).untrue == (said,)


def test_a_text_that_arrives_twice_is_counted_twice_but_not_the_document_around_it() -> None:
    once = framed("deploys", HELD["deploys"])
    assert seen("x", once).most == {"deploys": 1}
    assert seen(once, once).most == {"deploys": 2}
    assert look([body(once), body(once)], HELD).most == {"deploys": 1}


def test_the_index_of_a_store_is_not_its_texts() -> None:
    sight = seen("refunds: Before answering a refund request\ndeploys: Before deploying")
    assert sight == Sight(served=frozenset(), untrue=(), most={})


def sight(*served: str, untrue: tuple[str, ...] = ()) -> Sight:
    return Sight(served=frozenset(served), untrue=untrue, most={})


@pytest.mark.parametrize(
    ("expects", "saw", "line", "candidates", "came_to"),
    [
        ("a", sight("a"), "", (), RIGHT),
        ("a", sight("b"), "", (), WRONG),
        ("a", sight("a", "b"), "", (), WRONG),
        ("a", sight("a", untrue=("x",)), "", (), UNTRUE),
        ("a", sight(), "said", ("a", "b"), CANDIDATES),
        ("a", sight(), "said", ("b",), NOTICE),
        ("a", sight(), "said", (), NOTICE),
        ("a", sight(), "", (), SILENT),
        ("", sight("b"), "said", (), WRONG),
        ("", sight(), "said", ("b",), CANDIDATES),
        ("", sight(), "said", (), NOTICE),
        ("", sight(), "", (), SILENT),
    ],
)
def test_every_prompt_comes_to_exactly_one_outcome(
    expects: str, saw: Sight, line: str, candidates: tuple[str, ...], came_to: str
) -> None:
    assert outcome(expects, saw, line, frozenset(candidates)) == came_to
    assert came_to in judge.OUTCOMES


def test_a_framed_text_that_is_cut_is_not_the_whole_text() -> None:
    long = {"long": "Read this.\n" + "word " * 3000}
    assert look([body("x", framed("long", long["long"]))], long).untrue == ("framed, and not the current text of long",)


@given(
    st.recursive(
        st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_no_text_of_a_document_is_missed(value: Any) -> None:
    def leaves(part: Any) -> list[str]:
        if isinstance(part, str):
            return [part]
        parts = part.values() if isinstance(part, dict) else part
        return [leaf for inner in parts for leaf in leaves(inner)]

    found = list(judge.strings(value))
    assert sorted(found) == sorted(leaves(value))


@given(st.text(st.characters(exclude_characters="\\", exclude_categories=["Cs"])), st.integers(0, 3))
def test_a_text_is_found_however_deep_it_was_put_into_documents(text: str, depth: int) -> None:
    inner = text
    for _ in range(depth):
        inner = json.dumps({"output": inner})
    assert judge.unescaped(text) in judge.text_of({"content": inner})
