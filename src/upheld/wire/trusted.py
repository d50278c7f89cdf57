"""The trusted state's file: bytes to value and back."""

from __future__ import annotations

from upheld.model.trusted import Head, Trusted
from upheld.wire import strictjson
from upheld.wire.fields import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES = 64 * 1024


def decode(data: bytes, place: str) -> Trusted:
    """Read a state file.

    Raises:
        FaultError: it is not what we write; the place is refused until a person pins it again.
    """
    values = strictjson.parse(data, place, limit=MAX_BYTES)
    fields = Fields(values, place)
    made = Trusted(
        place=fields.text("place"),
        store_id=fields.optional_text("store_id") or "",
        root_version=fields.count("root_version"),
        root_sha256=fields.optional_text("root_sha256") or "",
        head=_head(fields, "head"),
        published=_head(fields, "published"),
        log_head=fields.optional_text("log_head") or "",
        pointers=fields.count("pointers"),
        retired=fields.count("retired"),
        valid_until=fields.optional_text("valid_until") or "",
        clock_mark=fields.optional_text("clock_mark") or "",
        clock_limit=fields.optional_text("clock_limit") or "",
        warnings=tuple(str(name) for name in fields.array("warnings")),
        accepted=tuple(str(name) for name in fields.array("accepted")),
        remote=fields.optional_text("remote"),
        synced_on=fields.optional_text("synced_on"),
        dropped=tuple(str(mark) for mark in fields.array("dropped")) if "dropped" in values else (),
        unsealed=values.get("unsealed") is True,
        revision=fields.count("revision"),
    )
    if fields.faults:
        raise fields.faults[0]
    return made


def _head(fields: Fields, name: str) -> Head | None:
    values: Mapping[str, object] | None = fields.mapping(name)
    if values is None:
        return None
    inner = Fields(values, fields.place, name)
    head = Head(root_version=inner.count("root_version"), version=inner.count("version"), sha256=inner.digest("sha256"))
    fields.faults += inner.faults
    return head


def encode(state: Trusted) -> bytes:
    """Write a state file."""
    from upheld.wire.trie import encode as encode_fields

    fields = {name: getattr(state, name) for name in type(state)._fields}
    for name in ("head", "published"):
        head = fields[name]
        if head is not None:
            fields[name] = {"root_version": head.root_version, "version": head.version, "sha256": head.sha256}
    return encode_fields(fields)
