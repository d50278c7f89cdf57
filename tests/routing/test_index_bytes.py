from __future__ import annotations

import struct
import subprocess
import sys
from binascii import crc32

from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.model.route import UNCHECKED, Matchers, Route, Rule, Task, Trigger
from upheld.routing.build import build
from upheld.routing.fired import firing
from upheld.routing.form import BLOCK, HEAD_MAGIC, HEAD_SIZE, PART_SIZE, SECTIONS, SEGMENT_SIZE
from upheld.routing.grow import grow
from upheld.routing.head import encode
from upheld.routing.index import Index
from upheld.routing.router import open_index, route

RULES = tuple(
    Rule(
        key=f"key-{n}",
        read_when=f"before doing thing {n} with the {word}",
        trigger=Trigger(
            paths=(f"{word}/**",), keywords=(word,), not_when=Matchers(keywords=("never",)), overrides=("key-0",)
        ),
        fires=(f"paint the {word}", f"sell {word} to Ann"),
        nots=(f"look at the {word}",),
    )
    for n, word in enumerate(("barn", "fence", "tractor", "plough"))
)
DIGEST = bytes(range(32))
RAW = build(RULES, digest=DIGEST, limit=0.6)
TASKS = (
    Task(text="paint the barn please"),
    Task(text="do not load key-1"),
    Task(text="x", paths=("fence/a",)),
    Task(text="the tractor and the plough"),
    Task(text="look at the barn"),
)
KEYS = {rule.key for rule in RULES}
GROWN = encode(
    grow(
        Index(RAW),
        {"key-2": None, "key-1": RULES[1].replace(fires=("mend the fence",))},
        digest=DIGEST,
    ).head.replace(limit=0.6)
)
"""The same in two segments, the second of which says what of the first is no more."""


def _resealed(raw: bytearray) -> bytes:
    """The bytes with every sum made to agree with them again, as far as they still say where the sums stand."""
    start = HEAD_SIZE + PART_SIZE
    sums = start + SEGMENT_SIZE + 8 * len(SECTIONS)
    (blocks,) = struct.unpack_from("=I", raw, start + SEGMENT_SIZE - 4)
    body = sums + 4 * blocks
    if body <= len(raw):
        parts = [raw[at : at + BLOCK] for at in range(body, len(raw), BLOCK)]
        if len(parts) == blocks:
            raw[sums:body] = struct.pack(f"={blocks}I", *map(crc32, parts))
        raw[start + 12 : start + 16] = crc32(raw[start + 16 : body]).to_bytes(4, sys.byteorder)
    raw[12:16] = crc32(raw[16:start]).to_bytes(4, sys.byteorder)
    return bytes(raw)


def _answers(raw: bytes, *, whole: bool = True) -> list[Route]:
    index = open_index(raw, whole=whole)
    return [index] if isinstance(index, Route) else [route(task, index) for task in TASKS]


def test_the_bytes_follow_from_the_set_of_rules_alone() -> None:
    assert build(tuple(reversed(RULES)), digest=DIGEST, limit=0.6) == RAW


def test_an_index_carries_the_digest_it_was_built_for() -> None:
    assert isinstance(open_index(RAW, digest=DIGEST), Index)
    answer = open_index(RAW, digest=bytes(32))
    assert isinstance(answer, Route) and answer.outcome == UNCHECKED
    assert answer.why == "the route index cannot be used: it was built for another version of the store"


def test_an_index_is_read_from_any_buffer() -> None:
    index = open_index(memoryview(bytearray(RAW)))
    assert isinstance(index, Index)
    assert [route(task, index) for task in TASKS] == _answers(RAW)


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_are_unchecked_and_never_raise(raw: bytes) -> None:
    for tried in (raw, HEAD_MAGIC + raw, RAW[:HEAD_SIZE] + raw, RAW[: HEAD_SIZE + PART_SIZE] + raw):
        answers = _answers(tried, whole=False)
        assert all(answer.outcome == UNCHECKED for answer in answers)


@settings(deadline=None)
@given(st.integers(0, len(RAW) - 1), st.integers(1, 255))
def test_a_changed_byte_is_unchecked(at: int, flip: int) -> None:
    raw = bytearray(RAW)
    raw[at] ^= flip
    assert [answer.outcome for answer in _answers(bytes(raw))] == [UNCHECKED]


def test_no_flipped_byte_changes_an_answer_however_little_of_the_file_is_read() -> None:
    for whole in (RAW, GROWN):
        sound = _answers(whole)
        assert {answer.outcome for answer in sound} >= {"match", "none"}
        told = 0
        for at in [*range(600), *range(600, len(whole), 13)]:
            raw = bytearray(whole)
            raw[at] ^= 1 << at % 8
            for answer, expected in zip(_answers(bytes(raw), whole=False) * len(TASKS), sound, strict=False):
                assert answer == expected or answer.outcome == UNCHECKED, (at, answer, expected)
                told += answer.outcome == UNCHECKED
        assert told > len(whole) // 13


def test_the_sums_made_to_agree_in_this_file_are_believed() -> None:
    assert _resealed(bytearray(RAW)) == RAW
    raw = bytearray(RAW)
    raw[RAW.rindex(b"barn")] ^= 1
    assert {answer.outcome for answer in _answers(bytes(raw))} == {UNCHECKED}
    assert isinstance(open_index(_resealed(raw)), Index)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.integers(8, len(RAW) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_any_change_behind_a_valid_sum_neither_raises_nor_leaves_the_forms(changes: list[tuple[int, int]]) -> None:
    raw = bytearray(RAW)
    for at, byte in changes:
        raw[at] = byte
    for answer in _answers(_resealed(raw)):
        assert answer.outcome in ("match", "none", "ambiguous", "unchecked")
        assert len(answer.choices) <= 5 and (answer.outcome == "match") == bool(answer.keys)


@settings(deadline=None)
@given(st.integers(0, len(RAW) - 1))
def test_a_truncated_index_is_unchecked(length: int) -> None:
    for whole in (True, False):
        outcomes = {answer.outcome for answer in _answers(RAW[:length], whole=whole)}
        assert UNCHECKED in outcomes and "match" not in outcomes


def test_the_read_side_imports_only_light_modules() -> None:
    code = "import sys; before = set(sys.modules); import upheld.routing.router; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    heavy = {"re", "json", "typing", "dataclasses", "enum", "pathlib", "functools", "hashlib", "array", "unicodedata"}
    assert not heavy & set(done.stdout.split())


def test_what_a_task_fires_in_a_damaged_index_is_not_known() -> None:
    raw = bytearray(RAW)
    for at in range(HEAD_SIZE + PART_SIZE + 400, len(raw), 64):
        raw[at] ^= 1
    index = open_index(bytes(raw), whole=False)
    sound = open_index(RAW, whole=False)
    assert isinstance(index, Index) and isinstance(sound, Index)
    assert [firing(one)("paint the barn") for one in (index, sound)] == [None, ("key-0",)]
