"""Make the files of a new version: a source, a record, and the closed predecessor. Pure: days and nonce come in."""

from __future__ import annotations

from collections.abc import Mapping

from upheld.model.record import Record
from upheld.model.value import Value
from upheld.wire import record as wire
from upheld.wire.digest import sha256_hex

_ORDER = (
    "id",
    "key",
    "status",
    "recorded_on",
    "last_verified",
    "review_on",
    "expires_on",
    "durable_source",
    "source_sha256",
    "bound_source",
    "supersedes",
    "supersedes_sha256",
    "superseded_by",
    "owner",
    "reviewed_by",
    "evidence",
    "change_reason",
    "tombstone",
)


class Draft(Value):
    """What a new version is to say.

    Attributes:
        text: the whole text of the source, as bytes that will be served.
        because: why; the record's ``change_reason``.
        review_on, expires_on: days, ``YYYY-MM-DD``.
        bound_source: the repository's file that owns the text; None for a source of the store's own.
        recorded_on, last_verified: days; None for today. Only what moves no date (a rename) gives them.
        tombstone: ``retired`` where the text says that there is none any more; None for a text that can be acted on.
    """

    key: str
    text: bytes
    because: str
    owner: str | None
    review_on: str
    expires_on: str
    evidence: str | None = None
    reviewed_by: str | None = None
    bound_source: str | None = None
    recorded_on: str | None = None
    last_verified: str | None = None
    tombstone: str | None = None


class Version(Value):
    """The files of one new version, and what its pointer must say."""

    files: Mapping[str, bytes]
    replaces: tuple[str, ...]
    record_id: str
    target: str
    record_sha256: str


def first(draft: Draft, *, today: str, nonce: str) -> Version:
    """Make the first version of a key."""
    return _version(draft, f"{draft.key}-v1-{nonce}", today, {}, {}, ())


def following(draft: Draft, old: Record, number: int, *, today: str, nonce: str, keep: Mapping[str, object]) -> Version:
    """Make the version after ``old``, and close ``old`` over it: both ends of the supersession are written.

    Args:
        draft: what the new version says.
        old: the record that is current now.
        number: the new version's number, for its id.
        today: the day, UTC.
        nonce: four hexadecimal digits, so that two people's third versions differ.
        keep: fields of the old record that go on (unknown ones too).
    """
    new_id = f"{draft.key}-v{number}-{nonce}"
    closed_fields = ordered({**old.fields, "status": "superseded", "superseded_by": new_id})
    closed = wire.encode(closed_fields)
    digest = sha256_hex(closed)
    place = f"records/{old.id}.{digest[:12]}.json"
    links: dict[str, object] = {"supersedes": old.id, "supersedes_sha256": digest}
    return _version(draft, new_id, today, links, keep, (old.place,), {place: closed})


def source_name(key: str, sha256: str) -> str:
    """Return the file that holds a source of ours."""
    return f"sources/{key}.{sha256[:12]}.md"


def carried(old: Record) -> dict[str, object]:
    """Return the fields that a new version takes over as they are: those that are not ours to set."""
    return {name: value for name, value in old.fields.items() if name not in _ORDER}


def ordered(fields: Mapping[str, object]) -> dict[str, object]:
    """Put known fields in their usual order, unknown ones behind them; fields without a value are left out."""
    known = {name: fields[name] for name in _ORDER if fields.get(name) is not None}
    return {**known, **{name: value for name, value in fields.items() if name not in _ORDER}}


def _version(
    draft: Draft,
    new_id: str,
    today: str,
    links: Mapping[str, object],
    keep: Mapping[str, object],
    replaces: tuple[str, ...],
    also: Mapping[str, bytes] | None = None,
) -> Version:
    digest = sha256_hex(draft.text)
    source = source_name(draft.key, digest)
    record = wire.encode(
        ordered(
            {
                **keep,
                "id": new_id,
                "key": draft.key,
                "status": "current",
                "recorded_on": draft.recorded_on or today,
                "last_verified": draft.last_verified or today,
                "review_on": draft.review_on,
                "expires_on": draft.expires_on,
                "durable_source": source,
                "source_sha256": digest,
                "bound_source": draft.bound_source,
                **links,
                "owner": draft.owner,
                "reviewed_by": draft.reviewed_by,
                "evidence": draft.evidence,
                "change_reason": draft.because,
                "tombstone": draft.tombstone,
            }
        )
    )
    record_digest = sha256_hex(record)
    target = f"records/{new_id}.{record_digest[:12]}.json"
    files = {**(also or {}), source: draft.text, target: record}
    return Version(
        files=files,
        replaces=tuple(name for name in replaces if name not in files),
        record_id=new_id,
        target=target,
        record_sha256=record_digest,
    )
