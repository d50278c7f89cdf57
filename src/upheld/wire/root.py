"""The trust root's file: ``trust/<n>.json``.

Says which keys may seal, how many must sign the next trust root, which keys are revoked, and the store's policy. Bytes
to value and back; ``trust.root`` decides whether a root may be believed. Fields that this version does not know are
kept, and written again after the known ones.
"""

from __future__ import annotations

from upheld.model.value import Value
from upheld.wire import strictjson
from upheld.wire.root_fields import RootFields
from upheld.wire.sshkey import PublicKey, parse_line

TYPE = "upheld-root"
MALFORMED = "SIG023"
SIZE_LIMIT = 1 << 18

_VERSION_LIMIT = 2**31 - 1
_DAYS_LIMIT = 36_500
_KEYS_LIMIT = 64
_REVOKED_LIMIT = 1024
_VERBS_LIMIT = 64

Unknown = tuple[tuple[str, object], ...]


class RootKey(Value):
    """One key that may seal.

    Attributes:
        public_key: the key, with the comment of its line.
        name: who holds it, for people; unique in a root.
        added_on: the day it was added, ``YYYY-MM-DD``.
        expires_on: the first day (UTC) on which its seals no longer count; ``None`` for never.
        unknown: fields that this version does not know.
    """

    public_key: PublicKey
    name: str
    added_on: str
    expires_on: str | None = None
    unknown: Unknown = ()


class Policy(Value):
    """What the store's owners decided.

    Attributes:
        freshness_days: how old a seal may be before reading refuses; ``None`` for no limit.
        longest_review_days: the longest review window that a record may have.
        max_sync_age_days: how old the last sync may be before reading refuses; ``None`` for no limit.
        automation: the verbs that ``--yes`` may answer for.
        branch: the branch on which a bound source must stand to be sealed; ``None`` where any does.
        unknown: fields that this version does not know.
    """

    freshness_days: int | None
    longest_review_days: int
    max_sync_age_days: int | None
    automation: tuple[str, ...]
    branch: str | None
    unknown: Unknown = ()


class Root(Value):
    """One version of the trust root.

    Attributes:
        version: counts from 1 without gaps.
        store_id: the store it governs.
        issued_at: UTC, ``YYYY-MM-DDThh:mm:ssZ``.
        expires_on: the first day (UTC) on which it no longer counts, ``YYYY-MM-DD``.
        keys: distinct by point, by key id and by name.
        threshold: how many keys must sign this root and its successor.
        revoked: ids of keys whose signatures never count.
        policy: what the owners decided.
        unknown: fields that this version does not know.
    """

    version: int
    store_id: str
    issued_at: str
    expires_on: str
    keys: tuple[RootKey, ...]
    threshold: int
    revoked: tuple[str, ...]
    policy: Policy
    unknown: Unknown = ()

    @property
    def usable_keys(self) -> tuple[RootKey, ...]:
        """The listed keys that are not revoked."""
        return tuple(key for key in self.keys if key.public_key.key_id not in self.revoked)


def decode(data: bytes, place: str) -> Root:
    """Parse a trust root.

    Raises:
        FaultError: SIG023 with the dotted path of the field; FMT codes for what is not strict JSON; SIG011 or SIG016
            for a public key.
    """
    fields = RootFields(strictjson.parse(data, place, limit=SIZE_LIMIT), code=MALFORMED, place=place)
    if fields.text("type") != TYPE:
        raise fields.fault("type", f"it is not {TYPE!r}")
    root = Root(
        version=fields.integer("version", 1, _VERSION_LIMIT),
        store_id=fields.name("store_id"),
        issued_at=fields.instant("issued_at"),
        expires_on=fields.day("expires_on"),
        keys=tuple(_key(item, place) for item in fields.nested_list("keys", 1, _KEYS_LIMIT)),
        threshold=fields.integer("threshold", 1, _KEYS_LIMIT),
        revoked=_revoked(fields),
        policy=_policy(fields.nested("policy")),
        unknown=fields.rest(),
    )
    _demand_distinct(root, fields)
    _demand_reachable(root, fields)
    return root


def encode(root: Root) -> bytes:
    """Write a trust root: two-space JSON, UTF-8, one line feed at the end. What is signed are these bytes as stored."""
    import json

    fields = {
        "type": TYPE,
        "version": root.version,
        "store_id": root.store_id,
        "issued_at": root.issued_at,
        "expires_on": root.expires_on,
        "keys": [_key_fields(key) for key in root.keys],
        "threshold": root.threshold,
        "revoked": list(root.revoked),
        "policy": _policy_fields(root.policy),
        **dict(root.unknown),
    }
    return json.dumps(fields, indent=2, ensure_ascii=False).encode() + b"\n"


def _key(fields: RootFields, place: str) -> RootKey:
    return RootKey(
        public_key=parse_line(fields.text("public_key", limit=2048), place, path=fields.path("public_key")),
        name=fields.text("name"),
        added_on=fields.day("added_on"),
        expires_on=fields.day("expires_on") if fields.has("expires_on") else None,
        unknown=fields.rest(),
    )


def _key_fields(key: RootKey) -> dict[str, object]:
    expiry = {} if key.expires_on is None else {"expires_on": key.expires_on}
    named = {
        "public_key": key.public_key.line,
        "name": key.name,
        "added_on": key.added_on,
    }
    return {**named, **expiry, **dict(key.unknown)}


def _policy(fields: RootFields) -> Policy:
    return Policy(
        freshness_days=fields.optional_integer("freshness_days", 1, _DAYS_LIMIT),
        longest_review_days=fields.integer("longest_review_days", 1, _DAYS_LIMIT),
        max_sync_age_days=fields.optional_integer("max_sync_age_days", 1, _DAYS_LIMIT),
        automation=fields.names("automation", _VERBS_LIMIT),
        branch=fields.optional_text("branch"),
        unknown=fields.rest(),
    )


def _policy_fields(policy: Policy) -> dict[str, object]:
    return {
        "freshness_days": policy.freshness_days,
        "longest_review_days": policy.longest_review_days,
        "max_sync_age_days": policy.max_sync_age_days,
        "automation": list(policy.automation),
        "branch": policy.branch,
        **dict(policy.unknown),
    }


def _revoked(fields: RootFields) -> tuple[str, ...]:
    ids = fields.names("revoked", _REVOKED_LIMIT)
    for at, key_id in enumerate(ids):
        if len(key_id) != 16 or set(key_id) - set("0123456789abcdef"):
            raise fields.fault(f"revoked[{at}]", "a key id has 16 lower-case hex digits")
    return ids


def _demand_distinct(root: Root, fields: RootFields) -> None:
    """Refuse a root that lists one key twice, under whatever name, comment or key type."""
    seen: set[object] = set()
    for at, key in enumerate(root.keys):
        marks = {
            "point": key.public_key.raw,
            "key_id": key.public_key.key_id,
            "name": key.name,
        }
        for mark in marks.items():
            if mark in seen:
                raise fields.fault(
                    f"keys[{at}].{'name' if mark[0] == 'name' else 'public_key'}",
                    "it is listed twice",
                )
        seen.update(marks.items())


def _demand_reachable(root: Root, fields: RootFields) -> None:
    """Refuse a threshold that the keys left after revocation could never meet."""
    usable = len(root.usable_keys)
    if root.threshold > usable:
        raise fields.fault(
            "threshold",
            f"{root.threshold} signers are demanded and {usable} keys could sign",
        )
