from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import FaultError
from upheld.testing.keys import MemoryKey
from upheld.wire.root import Root, decode, encode

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=5)
ADA, BOB = MemoryKey("ada").public, MemoryKey("bob").public


def fields() -> dict[str, Any]:
    return {
        "type": "upheld-root",
        "version": 3,
        "store_id": "5e1f",
        "issued_at": "2026-11-30T12:00:00Z",
        "expires_on": "2027-11-30",
        "keys": [
            {"public_key": ADA.line, "name": "ada", "added_on": "2026-01-31"},
            {"public_key": BOB.line, "name": "bob", "added_on": "2026-02-28", "expires_on": "2028-02-29"},
        ],
        "threshold": 1,
        "revoked": ["0123456789abcdef"],
        "policy": {
            "freshness_days": None,
            "longest_review_days": 365,
            "max_sync_age_days": 14,
            "automation": ["remember", "correct"],
            "branch": "main",
        },
    }


def read(data: dict[str, Any]) -> Root:
    return decode(json.dumps(data).encode(), "trust/3.json")


def changed(path: str, value: object) -> dict[str, Any]:
    data: Any = fields()
    *parents, last = (int(step) if step.isdigit() else step for step in path.split("."))
    inner = data
    for step in parents:
        inner = inner[step]
    if value is ...:
        del inner[last]
    elif last == "+":
        inner.append(value)
    else:
        inner[last] = value
    return dict(data)


def test_a_root_is_read_field_by_field() -> None:
    root = read(fields())
    assert (root.version, root.store_id, root.threshold, root.revoked) == (3, "5e1f", 1, ("0123456789abcdef",))
    assert (root.issued_at, root.expires_on) == ("2026-11-30T12:00:00Z", "2027-11-30")
    assert [(key.public_key, key.name, key.added_on, key.expires_on) for key in root.keys] == [
        (ADA, "ada", "2026-01-31", None),
        (BOB, "bob", "2026-02-28", "2028-02-29"),
    ]
    policy = root.policy
    assert (policy.freshness_days, policy.longest_review_days, policy.max_sync_age_days) == (None, 365, 14)
    assert (policy.automation, policy.branch) == (("remember", "correct"), "main")


def test_writing_what_was_read_changes_no_byte() -> None:
    data = fields()
    data["policy"]["later"] = {"a": [1, None]}
    data["keys"][0]["email"] = "ада@example.org"
    data["later"] = [True]
    written = json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"
    assert encode(decode(written, "trust/3.json")) == written


@given(
    st.dictionaries(
        TEXT.filter(lambda name: name not in fields()),
        st.none() | st.booleans() | st.integers(-(2**31), 2**31) | st.lists(TEXT),
        max_size=4,
    )
)
def test_unknown_fields_are_kept(unknown: dict[str, object]) -> None:
    assert dict(read({**fields(), **unknown}).unknown) == unknown


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("type", "root", "type"),
        ("type", ..., "type"),
        ("version", 0, "version"),
        ("version", -1, "version"),
        ("version", True, "version"),
        ("version", 1.0, "version"),
        ("version", "3", "version"),
        ("version", 2**31, "version"),
        ("version", None, "version"),
        ("store_id", "", "store_id"),
        ("store_id", "a/b", "store_id"),
        ("store_id", "x" * 129, "store_id"),
        ("issued_at", "2026-11-30", "issued_at"),
        ("issued_at", "2026-11-30T12:00:00+00:00", "issued_at"),
        ("issued_at", "2026-11-30T12:00:60Z", "issued_at"),
        ("expires_on", "2027-02-29", "expires_on"),
        ("expires_on", "2027-2-28", "expires_on"),
        ("expires_on", None, "expires_on"),
        ("keys", [], "keys"),
        ("keys", {}, "keys"),
        ("keys.1", "ssh-ed25519", "keys[1]"),
        ("keys.1.public_key", ..., "keys[1].public_key"),
        ("keys.1.public_key", ADA.line, "keys[1].public_key"),
        ("keys.1.public_key", ADA.replace(comment="other").line, "keys[1].public_key"),
        ("keys.1.public_key", MemoryKey("ada", is_hardware=True).public.line, "keys[1].public_key"),
        ("keys.1.name", "ada", "keys[1].name"),
        ("keys.1.name", "a\u202eb", "keys[1].name"),
        ("keys.1.name", "", "keys[1].name"),
        ("keys.0.added_on", "yesterday", "keys[0].added_on"),
        ("keys.0.expires_on", None, "keys[0].expires_on"),
        ("threshold", 0, "threshold"),
        ("threshold", 3, "threshold"),
        ("threshold", True, "threshold"),
        ("revoked", None, "revoked"),
        ("revoked.+", "0123456789ABCDEF", "revoked[1]"),
        ("revoked.+", "0123456789abcdef", "revoked[1]"),
        ("revoked.+", "0123", "revoked[1]"),
        ("revoked.+", 7, "revoked[1]"),
        ("policy", None, "policy"),
        ("policy.freshness_days", 0, "policy.freshness_days"),
        ("policy.freshness_days", ..., "policy.freshness_days"),
        ("policy.longest_review_days", None, "policy.longest_review_days"),
        ("policy.max_sync_age_days", 1.5, "policy.max_sync_age_days"),
        ("policy.automation", "all", "policy.automation"),
        ("policy.automation.1", "remember", "policy.automation[1]"),
        ("policy.automation.1", ["x"], "policy.automation[1]"),
        ("policy.branch", "", "policy.branch"),
        ("policy.branch", ..., "policy.branch"),
    ],
)
def test_a_bad_field_is_named_by_its_dotted_path(path: str, value: object, named: str) -> None:
    with pytest.raises(FaultError) as caught:
        read(changed(path, value))
    assert (caught.value.code, caught.value.place, caught.value.path) == ("SIG023", "trust/3.json", named)


@pytest.mark.parametrize(("line", "code"), [("ssh-rsa AAAA", "SIG011"), ("ssh-ed25519 AAAA", "SIG016")])
def test_a_bad_public_key_is_named_by_its_dotted_path(line: str, code: str) -> None:
    with pytest.raises(FaultError) as caught:
        read(changed("keys.1.public_key", line))
    assert (caught.value.code, caught.value.path) == (code, "keys[1].public_key")


def test_a_threshold_that_only_revoked_keys_could_meet_is_refused() -> None:
    data = {**fields(), "threshold": 2}
    assert read(data).threshold == 2
    with pytest.raises(FaultError, match="threshold"):
        read({**data, "revoked": [BOB.key_id]})


def test_a_root_is_bounded_in_size() -> None:
    with pytest.raises(FaultError, match="STO005"):
        read({**fields(), "padding": "x" * (1 << 18)})
