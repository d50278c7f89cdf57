"""A record's bytes to a value, and back."""

from __future__ import annotations

from upheld.model.record import Record
from upheld.wire import strictjson
from upheld.wire.digest import sha256_hex
from upheld.wire.fields import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.errors import FaultError

MAX_BYTES = 256 * 1024


def decode(data: bytes, place: str) -> tuple[Record, tuple[FaultError, ...]]:
    """Decode a record and report every field that is wrong, not only the first.

    The record must not be used for anything but reporting when there are faults. Dates and status are judged by
    ``checks``, which knows what they are for.

    Raises:
        FaultError: the bytes are not a JSON object that means one thing.
    """
    values = strictjson.parse(data, place, limit=MAX_BYTES)
    fields = Fields(values, place)
    record = Record(
        place=place,
        raw=data,
        sha256=sha256_hex(data),
        fields=values,
        id=fields.text("id"),
        status=fields.text("status"),
        recorded_on=fields.optional_text("recorded_on"),
        last_verified=fields.optional_text("last_verified"),
        review_on=fields.text("review_on"),
        expires_on=fields.text("expires_on"),
        durable_source=fields.path_name("durable_source"),
        source_sha256=fields.digest("source_sha256"),
        supersedes=fields.optional_text("supersedes"),
        superseded_by=fields.optional_text("superseded_by"),
        change_reason=fields.optional_text("change_reason"),
        key=fields.optional_text("key"),
        supersedes_sha256=fields.optional_digest("supersedes_sha256"),
        owner=fields.optional_text("owner"),
        evidence=fields.optional_text("evidence"),
        reviewed_by=fields.optional_text("reviewed_by"),
        bound_source=fields.path_name("bound_source") if values.get("bound_source") is not None else None,
    )
    return record, tuple(fields.faults)


def encode(fields: dict[str, object]) -> bytes:
    """Write fields as a record: two spaces of indent, in the order given, one line end at the end.

    An unchanged record is written back as its ``raw`` bytes, never through here.
    """
    from json import dumps

    return (dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
