"""A record that is read by its form is one that the strict parser takes, with the same fields."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import FaultError
from upheld.testing.builder import StoreBuilder
from upheld.wire.record_forms import RecordForms
from upheld.wire.strictjson import parse

WANTED = ("id", "status", "key", "supersedes")
NAMES = st.sampled_from([*WANTED, "owner", "a b", "", "naïve", 'quote"d', "é"])
PLAIN = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters='"\\'), max_size=8)
VALUES: st.SearchStrategy[Any] = st.one_of(
    PLAIN, PLAIN, PLAIN, st.text(max_size=4), st.none(), st.booleans(), st.integers(-5, 5), st.just([]), st.just({"a": 1})
)  # fmt: skip
RECORDS = st.dictionaries(NAMES, VALUES, max_size=6)
FORMS = st.sampled_from([{"indent": 2}, {"indent": None}, {"separators": (",", ":")}, {"indent": 2, "sort_keys": True}])
PIECES = st.sampled_from([b"", b'"', b"\\", b"\n", b"\x00", b"\x7f", b"\xc3\xa9", b"a", b" ", b"null", b"NaN", b"1", b"{", b"}", b",", b'"id": "x",', b"\\u0041"])  # fmt: skip


def encoded(record: dict[str, Any], form: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, **form).encode("utf-8", "surrogatepass")


def learnt(*documents: bytes) -> RecordForms:
    forms = RecordForms(WANTED)
    for data in documents:
        try:
            forms.learn(data, parse(data, "x"))
        except FaultError:
            continue
    return forms


def by_parser(data: bytes) -> tuple[object, ...] | None:
    try:
        fields = parse(data, "x")
    except FaultError:
        return None
    return tuple(fields.get(name) for name in WANTED)


@given(RECORDS, FORMS, st.data())
def test_what_a_form_reads_the_strict_parser_reads_alike(
    record: dict[str, Any], form: dict[str, Any], data: st.DataObject
) -> None:
    one = encoded(record, form)
    forms = learnt(one)
    at = data.draw(st.integers(0, len(one)))
    end = data.draw(st.integers(at, min(len(one), at + 12)))
    other = one[:at] + data.draw(PIECES) + one[end:]
    for document in (one, other):
        row = forms.read(document)
        assert row is None or row == by_parser(document)


@given(st.dictionaries(NAMES, st.one_of(PLAIN, st.none()), min_size=1, max_size=6), FORMS, st.data())
def test_records_that_differ_in_plain_values_only_are_read_by_one_form(
    record: dict[str, Any], form: dict[str, Any], data: st.DataObject
) -> None:
    other = {name: data.draw(PLAIN) if value is not None else None for name, value in record.items()}
    one, two = encoded(record, form), encoded(other, form)
    if one.isascii() and b"\\" not in one:
        assert learnt(one).read(two) == by_parser(two) is not None


def test_records_as_they_are_written_are_read_by_their_forms() -> None:
    builder = StoreBuilder()
    first = builder.remember("one", "One.\n", "Two.\n", "Three.\n")
    second = builder.remember("two", "One.\n", "Two.\n", "Three.\n")
    forms = learnt(*(version.record_bytes for version in first))
    for version in second:
        row = forms.read(version.record_bytes)
        assert row == tuple(version.fields.get(name) for name in WANTED)


def test_a_form_learns_no_more_than_it_must() -> None:
    for record in ({"id": 7}, {"id": ["x"]}, {"id": "x", "more": {"deep": "y"}}, {"id": "back\\slash"}, {"id": "é"}):
        data = encoded(record, {"indent": 2})
        assert learnt(data).read(data) is None
    assert learnt(b'{"id": "x", "tombstone": true}').read(b'{"id": "y", "tombstone": true}') == ("y", None, None, None)
    assert learnt(b'{"id": "x", "tombstone": true}').read(b'{"id": "y", "tombstone": false}') is None


def test_the_number_of_forms_is_bounded() -> None:
    documents = [encoded({"id": "x", f"field-{number}": "y"}, {}) for number in range(200)]
    forms = learnt(*documents)
    assert sum(forms.read(data) is not None for data in documents) == 64
