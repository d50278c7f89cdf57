"""Fuzz the two parsers that stand at the door: strict JSON against a slow reference, and the judge of file names.

``UPHELD_FUZZ_SECONDS=60 python -m pytest tests/wire/test_parser_fuzz.py`` looks for a minute; CI runs it so.
"""

from __future__ import annotations

import json
import ntpath
import os
import secrets
import sys
import time
import unicodedata
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import example, given, seed, settings
from hypothesis import strategies as st

from upheld.errors import FaultError
from upheld.model.names import unsafe
from upheld.wire.strictjson import MAX_DEPTH, parse

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**54), 2**54), st.floats(), st.text(st.characters(codec=None), max_size=8)
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
PIECES = st.sampled_from(
    [
        *(b"{", b"}", b"[", b"]", b'"', b",", b":", b" ", b"\n", b"\\", b"\\u0041", b"\\ud83d", b"\\ude00"),
        *(b"null", b"true", b"NaN", b"-Infinity", b"1e400", b"-0", b"01", b"1.5", b"9007199254740993"),
        *(b'"a"', b'"a":1', b"\xff", b"\xc2\x85", b"\x7f", b"\0", b"\xef\xbb\xbf"),
        *(b"<<<<<<< a\n", b">>>>>>> b\n"),
    ]
)
BYTES = st.one_of(
    st.binary(max_size=40),
    st.lists(PIECES, max_size=14).map(b"".join),
    st.lists(PIECES, max_size=8).map(lambda pieces: b'{"k":' + b"".join(pieces) + b"}"),
    TREES.map(lambda tree: json.dumps({"k": tree}).encode()),
    TREES.map(lambda tree: json.dumps({"k": tree}, ensure_ascii=False).encode("utf-8", "surrogatepass")),
)


class NotStrictError(Exception):
    """The reference refuses."""


class _Reader:
    """A recursive-descent reader, written from RFC 8259 and our rules, with no thought of speed."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def document(self) -> dict[str, Any]:
        value = self.value(1)
        self.space()
        if self.at != len(self.text) or not isinstance(value, dict):
            raise NotStrictError
        return value

    def space(self) -> None:
        while self.text[self.at : self.at + 1] in (" ", "\t", "\n", "\r") and self.at < len(self.text):
            self.at += 1

    def take(self, wanted: str) -> None:
        if not self.text.startswith(wanted, self.at):
            raise NotStrictError
        self.at += len(wanted)

    def peek(self) -> str:
        self.space()
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH + 1:
            raise NotStrictError
        first = self.peek()
        if first == "{":
            return self.object(depth)
        if first == "[":
            return self.array(depth)
        if first == '"':
            return self.string()
        for word, meant in (("null", None), ("true", True), ("false", False)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meant
        return self.number()

    def object(self, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        self.take("{")
        while self.peek() != "}":
            if made:
                self.take(",")
                self.space()
            key = self.string()
            if key in made:
                raise NotStrictError
            self.space()
            self.take(":")
            made[key] = self.value(depth + 1)
        self.take("}")
        return made

    def array(self, depth: int) -> list[Any]:
        made: list[Any] = []
        self.take("[")
        while self.peek() != "]":
            if made:
                self.take(",")
            made.append(self.value(depth + 1))
        self.take("]")
        return made

    def string(self) -> str:
        self.take('"')
        units: list[int] = []
        while not self.text.startswith('"', self.at):
            character = self.text[self.at : self.at + 1]
            if not character or ord(character) < 0x20:
                raise NotStrictError
            self.at += 1
            if character != "\\":
                raw = character.encode("utf-16-be")
                units += [int.from_bytes(raw[i : i + 2], "big") for i in range(0, len(raw), 2)]
                continue
            units.append(self.escape())
        self.at += 1
        try:
            text = b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be")
        except UnicodeDecodeError:
            raise NotStrictError from None
        if any(unicodedata.category(c) == "Cc" and c not in "\t\n\r" for c in text):
            raise NotStrictError
        return text

    def escape(self) -> int:
        letter = self.text[self.at : self.at + 1]
        self.at += 1
        plain = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
        if letter in plain:
            return ord(plain[letter])
        digits = self.text[self.at : self.at + 4]
        self.at += 4
        if letter != "u" or len(digits) != 4 or any(d not in "0123456789abcdefABCDEF" for d in digits):
            raise NotStrictError
        return int(digits, 16)

    def digits(self) -> str:
        start = self.at
        while self.text[self.at : self.at + 1] in tuple("0123456789"):
            self.at += 1
        if start == self.at:
            raise NotStrictError
        return self.text[start : self.at]

    def number(self) -> float | int:
        start = self.at
        if self.text.startswith("-", self.at):
            self.at += 1
        whole = self.digits()
        if len(whole) > 1 and whole[0] == "0":
            raise NotStrictError
        is_whole = True
        if self.text.startswith(".", self.at):
            self.at += 1
            self.digits()
            is_whole = False
        if self.text[self.at : self.at + 1] in ("e", "E"):
            self.at += 1
            if self.text[self.at : self.at + 1] in ("+", "-"):
                self.at += 1
            self.digits()
            is_whole = False
        shown = self.text[start : self.at]
        if is_whole:
            if abs(int(shown)) > 2**53 - 1:
                raise NotStrictError
            return int(shown)
        number = float(shown)
        if number in (float("inf"), float("-inf")):
            raise NotStrictError
        return number


def reference(data: bytes) -> dict[str, Any] | None:
    try:
        text = data.decode("utf-8")
        if text.startswith("\ufeff") or "\0" in text:
            return None
        return _Reader(text).document()
    except (UnicodeDecodeError, NotStrictError):
        return None


@given(BYTES)
@example(b'{"a":1,"\\u0061":2}')
@example(b'{"k":"\\ud83d\\ude00"}')
@example(b'{"k":' + b"[" * 33 + b"]" * 33 + b"}")
@example(b'{"k":' + b"[" * 31 + b"]" * 31 + b"}")
def test_strict_json_reads_what_the_reference_reads_and_nothing_else(data: bytes) -> None:
    agree(data)


def test_the_parser_agrees_for_as_long_as_it_is_fuzzed() -> None:
    """``UPHELD_FUZZ_SECONDS`` says how long (CI: a minute); each round is seeded anew, and a failure prints its bytes."""
    end = time.monotonic() + float(os.environ.get("UPHELD_FUZZ_SECONDS", "1"))
    rounds = 0
    while time.monotonic() < end:

        @seed(secrets.randbits(64))
        @settings(max_examples=300, database=None, deadline=None)
        @given(BYTES)
        def attempt(data: bytes) -> None:
            agree(data)

        attempt()
        rounds += 1
    assert rounds > 0


def agree(data: bytes) -> None:
    """Both readers read the same value, or both refuse."""
    expected = reference(data)
    if expected is not None:
        assert repr(parse(data, "x.json")) == repr(expected)
        return
    with pytest.raises(FaultError) as caught:
        parse(data, "x.json")
    assert caught.value.code in {f"FMT{number:03d}" for number in range(1, 12)}
    assert caught.value.place == "x.json"


@given(
    st.one_of(
        st.text(max_size=40), st.lists(st.sampled_from([*"a./\\:~$ \0\u202e", "..", "con", "COM1", "é"])).map("".join)
    )
)
def test_a_safe_name_means_one_file_below_the_root_on_every_platform(name: str) -> None:
    if unsafe(name):
        return
    for path in (PurePosixPath("/store") / name, PureWindowsPath("C:/store") / name):
        assert ".." not in path.parts
        assert path.as_posix().endswith(f"/store/{name}")
    assert not ntpath.isabs(name)
    assert not any(_is_device(step) for step in name.split("/"))
    assert not any(unicodedata.category(character).startswith("C") for character in name)


def _is_device(step: str) -> bool:
    """Whether Windows takes a step for a device, by Python's own account of it."""
    if sys.version_info >= (3, 13):
        return ntpath.isreserved(step)
    return PureWindowsPath(step).is_reserved()


@given(st.lists(st.text("abcxyz019-_conul", min_size=1, max_size=8), min_size=1, max_size=3).map("/".join))
def test_a_plain_name_is_unsafe_only_if_it_is_a_device(name: str) -> None:
    assert bool(unsafe(name)) == any(_is_device(step) for step in name.split("/"))
