"""Receipts: every check is run again from the receipt's own bytes, and nothing that was changed in one is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import KEY, TEXT, gate, pinned, sound
from upheld.errors import FaultError, UsageError
from upheld.model.answer import Refusal
from upheld.model.receipt_check import ReceiptCheck
from upheld.render.receipt import receipt as rendered
from upheld.services.admission import Pin
from upheld.services.receipt import recall_with_receipt
from upheld.services.receipt_verify import receipt_verify
from upheld.testing.keys import MemoryKey
from upheld.testing.memory_state import MemoryState
from upheld.testing.memory_store import MemoryStore
from upheld.testing.sealed import SealedBuilder, listed

BUILDER = sound()


def made(builder: SealedBuilder = BUILDER, **more: Any) -> bytes:
    store = builder.store(**more)
    outcome, data = recall_with_receipt(gate(store, pinned(store)), KEY)
    assert outcome.outcome == "verified"
    return data


RECEIPT = made()
PIN = Pin(root_sha256=BUILDER.root_sha256, version=2)


def checked(data: bytes, pin: Pin | None = PIN) -> ReceiptCheck:
    return receipt_verify(data, "receipt.json", pin)


def code(data: bytes, pin: Pin | None = PIN) -> str:
    """The code that refuses a receipt; empty where none does."""
    try:
        findings = checked(data, pin).findings
    except FaultError as fault:
        return fault.code
    return findings[0].code if findings else ""


def edited(edit: Callable[[dict[str, Any]], object]) -> bytes:
    fields: dict[str, Any] = json.loads(RECEIPT)
    edit(fields)
    return json.dumps(fields, indent=2).encode()


def test_a_receipt_is_verified_where_there_is_no_store() -> None:
    check = checked(RECEIPT)
    assert check.outcome == "verified"
    assert check.answer is not None
    assert check.answer.text == TEXT
    assert check.chosen_by == "caller"
    assert check.not_checked


def test_its_outer_form_is_an_in_toto_statement_about_the_source() -> None:
    fields = json.loads(RECEIPT)
    assert fields["_type"] == "https://in-toto.io/Statement/v1"
    assert fields["predicateType"] == "urn:upheld:recall:v1"
    [subject] = fields["subject"]
    assert subject["digest"]["sha256"] == fields["predicate"]["answer"]["source_sha256"]


def test_without_a_pin_nothing_is_verified() -> None:
    assert checked(RECEIPT, None).outcome == "unverified"


@pytest.mark.parametrize(
    ("chosen_by", "told"),
    [
        ("caller", f"key: {KEY} (named by the caller)"),
        ("routing", f"key: {KEY} (found by routing)"),
        ("ambiguous", f"key: {KEY} (named by the caller after an ambiguous route)"),
    ],
)
def test_a_receipt_says_how_the_key_was_chosen(chosen_by: str, told: str) -> None:
    store = BUILDER.store()
    _, data = recall_with_receipt(gate(store, pinned(store)), KEY, chosen_by=chosen_by)
    assert checked(data).chosen_by == chosen_by
    assert told in rendered(checked(data))


def test_no_receipt_says_that_the_key_was_chosen_in_a_way_that_nobody_could_read() -> None:
    store = BUILDER.store()
    with pytest.raises(UsageError, match="no key is chosen by `chance`"):
        recall_with_receipt(gate(store, pinned(store)), KEY, chosen_by="chance")


@pytest.mark.parametrize(
    ("pin", "expected"),
    [
        (Pin(root_sha256="0" * 64, version=1), "RBK014"),
        (Pin(root_sha256=BUILDER.root_sha256, version=3), "RBK001"),
        (Pin(root_sha256=BUILDER.root_sha256, version=1, store_id="another"), "RBK003"),
    ],
)
def test_another_pin_refuses_it(pin: Pin, expected: str) -> None:
    assert code(RECEIPT, pin) == expected


def test_a_pin_of_an_earlier_root_follows_the_chain_in_the_receipt() -> None:
    builder = sound()
    builder.next_root(signers=("ada", "bob"), keys=(listed("bob"),))
    data = made(builder, sealers=("bob",))
    assert code(data, Pin(root_sha256=BUILDER.root_sha256, version=1)) == ""


def _set(*path: str, to: object) -> Callable[[dict[str, Any]], object]:
    def edit(fields: dict[str, Any]) -> None:
        for name in path[:-1]:
            fields = fields[name]
        fields[path[-1]] = to

    return edit


CLAIMS = [
    (("predicate", "answer", "text"), "something else"),
    (("predicate", "answer", "expires_on"), "2030-01-01"),
    (("predicate", "answer", "as_of"), "2026-09-15"),
    (("predicate", "outcome"), "unsealed"),
    (("predicate", "checked"), []),
    (("predicate", "index", "version"), 3),
    (("predicate", "index", "version"), True),
    (("predicate", "approved_by"), "somebody"),
    (("extra",), 1),
    (("subject"), []),
    (("predicate", "digests", "index.json"), "0" * 64),
    (("predicate", "repository", "docs/a.md"), "YQ=="),
    (("predicate", "files", "records/spare.json"), "YQ=="),
]


@pytest.mark.parametrize(("path", "value"), CLAIMS, ids=lambda value: str(value)[:50])
def test_a_claim_that_the_bytes_do_not_bear_out_is_refused(path: tuple[str, ...] | str, value: object) -> None:
    where = (path,) if isinstance(path, str) else path
    assert code(edited(_set(*where, to=value))) == "SIG031"


FORMS = [
    (("_type",), "https://in-toto.io/Statement/v0.1", "FMT007"),
    (("predicateType",), "urn:upheld:other:v1", "FMT007"),
    (("predicate",), [], "FMT007"),
    (("predicate", "at"), "2026-09-14", "FMT007"),
    (("predicate", "asked", "chosen_by"), "chance", "FMT007"),
    (("predicate", "not_checked"), [1], "FMT007"),
    (("predicate", "files", "index.json"), "YQ", "FMT007"),
    (("predicate", "files", "index.json"), "YR==", "FMT007"),
    (("predicate", "files", "index.json"), 7, "FMT007"),
]


@pytest.mark.parametrize(("path", "value", "expected"), FORMS, ids=lambda value: str(value)[:40])
def test_a_malformed_receipt_is_refused(path: tuple[str, ...], value: object, expected: str) -> None:
    assert code(edited(_set(*path, to=value))) == expected


def test_another_day_is_judged_as_of_that_day() -> None:
    late = edited(_set("predicate", "at", to="2026-12-01T00:00:00Z"))
    assert code(late) == "DAT001"


def test_no_receipt_without_a_seal_and_none_of_a_refusal() -> None:
    store = BUILDER.store(sealers=(), root=..., store_id=...)
    with pytest.raises(UsageError, match="prove nothing"):
        recall_with_receipt(gate(store, MemoryState(), unsealed=True), KEY)
    sealed = BUILDER.store()
    outcome, data = recall_with_receipt(gate(sealed, pinned(sealed)), "no-such-key")
    assert isinstance(outcome, Refusal)
    assert data == b""


def test_a_receipt_made_on_the_fast_path_carries_the_seal() -> None:
    files = BUILDER.files()
    state = pinned(MemoryStore(files))
    _, data = recall_with_receipt(gate(MemoryStore(files), state), KEY)
    assert code(data) == ""
    without = {name: data for name, data in files.items() if not name.startswith("seals/")}
    with pytest.raises(UsageError, match="seal"):
        recall_with_receipt(gate(MemoryStore(without), state), KEY)


FILES = sorted(json.loads(RECEIPT)["predicate"]["files"])


@given(st.sampled_from(FILES), st.integers(0), st.integers(1, 255))
def test_no_byte_of_any_file_can_change(name: str, at: int, flip: int) -> None:
    from base64 import b64decode, b64encode

    def edit(fields: dict[str, Any]) -> None:
        files = fields["predicate"]["files"]
        data = bytearray(b64decode(files[name]))
        data[at % len(data)] ^= flip
        files[name] = b64encode(bytes(data)).decode()

    assert code(edited(edit)) != ""


@given(st.sampled_from(FILES))
def test_no_file_can_be_left_out(name: str) -> None:
    assert code(edited(lambda fields: fields["predicate"]["files"].pop(name))) != ""


def test_a_seal_by_another_key_does_not_help() -> None:
    forged = sound("mallory")
    data = made(forged, sealers=("mallory",))
    assert code(data) == "RBK014"
    assert MemoryKey("mallory").public.key_id in data.decode()
