from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.render.jsontext import dumps, line

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_both_forms_are_read_back_as_what_they_were_and_are_ascii(value: object) -> None:
    for written in (dumps(value), line(value)):
        assert json.loads(written) == value
        assert written.isascii() and "##[" not in written


@given(VALUES)
def test_one_line_holds_no_control_character_and_no_more_than_it_needs(value: object) -> None:
    assert line(value).isprintable()
    assert len(line(value)) <= len(dumps(value))


def test_a_value_of_another_type_is_an_error() -> None:
    for write in (dumps, line):
        with pytest.raises(TypeError, match="cannot write set"):
            write({"a": [{1}]})
