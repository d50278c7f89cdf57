"""An index that is carried on answers as one that is built anew, whatever was changed in whatever order."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.model.route import Matchers, Rule, Task, Trigger
from upheld.routing import grow as growing
from upheld.routing import head as heads
from upheld.routing.build import build
from upheld.routing.grow import Grown, differing, grow, whole
from upheld.routing.index import Index, IndexUnreadableError
from upheld.routing.piece import piece_of
from upheld.routing.router import route
from upheld.routing.score import score
from upheld.routing.segment import Segment
from upheld.routing.write import pieces, write
from upheld.stores.route_file import shipped_lexicon

LEXICON = shipped_lexicon()
DIGEST = bytes(range(32))
SENTENCES = (
    "Before writing product copy",
    "Before changing the database schema",
    "When a customer asks for a refund",
    "Before a release is tagged",
    "When the pager goes off at night",
    "Before deleting a backup",
)
TASKS = tuple(
    Task(text=text, paths=paths)
    for text in (
        *SENTENCES,
        "write copy for the product page",
        "please refund the customer",
        "who tags it",
        "",
        "x y z",
    )
    for paths in ((), ("site/a.html",))
)


def files_of(grown: Grown, before: dict[str, bytes]) -> dict[str, bytes]:
    """The folder of segments after an index was put in place."""
    named = {part.name.hex() for part in grown.head.parts if part.data is None}
    kept = {**before, **grown.files}
    assert named <= kept.keys()
    return {name: kept[name] for name in named}


def opened(grown: Grown, files: dict[str, bytes], *, limit: float = 0.5) -> Index:
    raw = heads.encode(grown.head.replace(limit=limit))
    return Index(raw, lexicon=LEXICON, segments=lambda name, length: memoryview(files[name.hex()]))


rules = st.builds(
    Rule,
    key=st.sampled_from([f"key-{number}" for number in range(9)]),
    read_when=st.sampled_from(SENTENCES),
    trigger=st.sampled_from(
        [
            None,
            Trigger(paths=("site/**",), overrides=("key-1",)),
            Trigger(paths=("site/**",), together_with=("key-2",), not_when=Matchers(keywords=("refund",))),
            Trigger(paths=("a[b",), keywords=("schema",)),
        ]
    ),
    fires=st.lists(st.sampled_from(["write the pricing page", "give the money back", "drop a column"]), max_size=2).map(
        tuple
    ),
    nots=st.lists(st.sampled_from(["read the copy", "who tags it"]), max_size=1).map(tuple),
    broken=st.sampled_from(["", "", "", "", "its file is lost"]),
)
changes = st.lists(
    st.dictionaries(st.sampled_from([f"key-{number}" for number in range(9)]), st.none() | rules, max_size=3),
    max_size=12,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(rules, max_size=6), changes, st.integers(0, 4), st.integers(1, 6))
def test_any_changes_in_any_order_answer_as_a_build_of_what_is_left(
    first: list[Rule], steps: list[dict[str, Rule | None]], inline: int, most: int
) -> None:
    left = {rule.key: rule for rule in first}
    with patch.object(growing, "INLINE", inline), patch.object(growing, "MOST_MERGED", most):
        grown = whole(left.values(), LEXICON, digest=DIGEST)
        files = files_of(grown, {})
        for step in steps:
            told = {key: rule.replace(key=key) if rule else None for key, rule in step.items()}
            grown = grow(opened(grown, files), told, digest=DIGEST)
            files = files_of(grown, files)
            left.update({key: rule for key, rule in told.items() if rule})
            left = {key: rule for key, rule in left.items() if told.get(key, rule)}
    index = opened(grown, files)
    anew = Index(build(tuple(left.values()), lexicon=LEXICON, limit=0.5), lexicon=LEXICON)
    assert (index.pointers, index.statements) == (len(left), anew.statements)
    for task in TASKS:
        assert route(task, index) == route(task, anew)
        found = task.text.casefold().split()
        one, other = (score(found, each, set()) for each in (index, anew))
        assert [(index.key(pointer), height) for pointer, height in one.ranked] == [
            (anew.key(pointer), height) for pointer, height in other.ranked
        ]
        assert one.none == other.none
    assert not differing(index, left.values())


@settings(deadline=None, max_examples=40)
@given(st.lists(rules, max_size=5, unique_by=lambda rule: rule.key))
def test_a_segment_is_taken_apart_into_what_it_was_written_from(written: list[Rule]) -> None:
    data = write(piece_of(rule, LEXICON) for rule in written)
    assert write(pieces(Segment(data))) == data


def test_one_change_writes_a_small_segment_and_leaves_the_large_one() -> None:
    many = [Rule(key=f"key-{number}", read_when=f"Before doing thing {number}") for number in range(500)]
    grown = whole(many, LEXICON, digest=DIGEST)
    files = files_of(grown, {})
    assert len(files) == 1
    after = grow(opened(grown, files), {"key-7": many[7].replace(fires=("do it",)), "key-9": None}, digest=DIGEST)
    assert not after.files
    assert [part.data is None for part in after.head.parts] == [True, False]
    assert len(heads.encode(after.head)) < 8_192
    assert after.head.changed == 2 + 3 + 2, "the old statements of both, and the new ones; the key counts as one"


def test_a_correction_that_leaves_the_rule_as_it_was_changes_nothing_but_the_digest() -> None:
    rule = Rule(key="key-1", read_when="Before doing thing 1")
    grown = whole([rule], LEXICON, digest=DIGEST)
    after = grow(opened(grown, {}), {"key-1": rule}, digest=bytes(32))
    assert heads.encode(after.head) == heads.encode(grown.head.replace(digest=bytes(32), limit=0.5))
    assert not after.files


def test_the_number_of_segments_stays_small() -> None:
    grown = whole([], LEXICON, digest=DIGEST)
    files: dict[str, bytes] = {}
    for number in range(150):
        rule = Rule(key=f"key-{number}", read_when=f"Before doing thing {number}")
        grown = grow(opened(grown, files), {rule.key: rule}, digest=DIGEST)
        files = files_of(grown, files)
    assert len(grown.head.parts) <= 6
    assert opened(grown, files).pointers == 150


def test_a_missing_segment_is_no_index() -> None:
    many = [Rule(key=f"key-{number}", read_when=f"Before doing thing {number}") for number in range(50)]
    grown = whole(many, LEXICON, digest=DIGEST)
    with pytest.raises(IndexUnreadableError, match="missing"):
        Index(heads.encode(grown.head), lexicon=LEXICON)


def test_an_index_with_another_table_of_words_is_no_index() -> None:
    with pytest.raises(IndexUnreadableError, match="table of words"):
        Index(build((), lexicon=LEXICON))
