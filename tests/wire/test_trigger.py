"""Triggers in a pointer and their examples: strict to read, and the same again when written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import FaultError
from upheld.model.route import Matchers, Trigger
from upheld.wire import examples
from upheld.wire.trigger import decode_trigger, encode_trigger, is_empty

TEXTS = st.lists(st.text(max_size=8), max_size=3).map(tuple)
MATCHERS = dict.fromkeys(("paths", "tools", "commands", "keywords"), TEXTS)
TRIGGERS = st.builds(
    Trigger,
    **MATCHERS,
    not_when=st.one_of(st.none(), st.builds(Matchers, **MATCHERS).filter(lambda made: made != Matchers())),
    together_with=TEXTS,
    overrides=TEXTS,
)


@given(TRIGGERS)
def test_what_is_written_is_read_as_it_was(trigger: Trigger) -> None:
    assert decode_trigger(encode_trigger(trigger), "index.json") == (trigger, ())
    assert is_empty(trigger) == (trigger == Trigger())


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"path": ["a"]}, "trigger.path"),
        ({"paths": "a"}, "trigger.paths"),
        ({"paths": {"a": 1}}, "trigger.paths"),
        ({"paths": ["a", None]}, "trigger.paths[1]"),
        ({"not_when": ["a"]}, "trigger.not_when"),
        ({"not_when": {"path": ["a"]}}, "trigger.not_when.path"),
        ({"not_when": {"overrides": ["a"]}}, "trigger.not_when.overrides"),
        ({"not_when": {"tools": [1]}}, "trigger.not_when.tools[0]"),
        ({"overrides": "k"}, "trigger.overrides"),
        ({"Paths": ["a"]}, "trigger.Paths"),
    ],
)
def test_a_slip_is_a_fault_that_names_its_field(values: dict[str, Any], path: str) -> None:
    _, faults = decode_trigger(values, "index.json")
    assert [(fault.code, fault.path) for fault in faults] == [("TRG001", path)]


def test_every_fault_is_reported() -> None:
    _, faults = decode_trigger({"paths": 1, "tools": [2, 3], "more": True}, "index.json", "entries[4].trigger")
    assert len(faults) == 4
    assert all(fault.path.startswith("entries[4].trigger.") for fault in faults)


def test_no_trigger_is_no_fault() -> None:
    assert decode_trigger(None, "index.json") == (None, ())
    assert decode_trigger({"paths": None, "not_when": None}, "index.json") == (Trigger(), ())


SHOWN = st.lists(st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), max_size=8), max_size=3).map(tuple)


@given(SHOWN, SHOWN)
def test_examples_are_read_as_they_were_written(fires: tuple[str, ...], nots: tuple[str, ...]) -> None:
    made = examples.Examples(fires=fires, nots=nots)
    name, data, digest = examples.encode("a-key", made)
    assert name == examples.place_of("a-key", digest)
    assert examples.decode(data, name) == made


@pytest.mark.parametrize(
    "data", [b"[]", b"{}", b'{"fires": "a"}', b'{"fires": [1]}', b'{"not": []}', b'{"fires": [], "fires": []}', b"\xff"]
)
def test_malformed_examples_are_refused(data: bytes) -> None:
    with pytest.raises(FaultError):
        examples.decode(data, "triggers/k.json")
