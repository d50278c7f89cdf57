"""The reviewer's memory of texts, as it lies in the state folder: fingerprints, sixteen hexadecimal digits each."""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.remembered import Rejection
from upheld.wire import strictjson
from upheld.wire.fields import Fields

MAX_BYTES = 16 * 1024 * 1024
_DIGITS = 16


def decode_rejections(data: bytes, place: str) -> tuple[Rejection, ...]:
    """Read what was rejected.

    Raises:
        FaultError: it is malformed.
    """
    outer = Fields(strictjson.parse(data, place, limit=MAX_BYTES), place)
    made = []
    for number, one in enumerate(outer.array("rejections")):
        fields = Fields(one if isinstance(one, dict) else {}, place, f"rejections[{number}]")
        made.append(
            Rejection(
                id=fields.text("id"),
                key=fields.text("key"),
                at=fields.text("at"),
                because=fields.optional_text("because") or "",
                sketch=frozenset(_fingerprints(fields, "sketch")),
            )
        )
        outer.faults += fields.faults
    if outer.faults:
        raise outer.faults[0]
    return tuple(made)


def encode_rejections(rejections: tuple[Rejection, ...]) -> bytes:
    """Write what was rejected."""
    listed = [
        {"id": one.id, "key": one.key, "at": one.at, "because": one.because, "sketch": sorted(one.sketch)}
        for one in rejections
    ]
    return _dumps({"rejections": listed})


def decode_served(data: bytes, place: str) -> tuple[str, ...]:
    """Read the fingerprints of what was served, oldest first.

    Raises:
        FaultError: it is malformed.
    """
    fields = Fields(strictjson.parse(data, place, limit=MAX_BYTES), place)
    found = _fingerprints(fields, "served")
    if fields.faults:
        raise fields.faults[0]
    return found


def encode_served(served: tuple[str, ...]) -> bytes:
    """Write the fingerprints of what was served."""
    return _dumps({"served": list(served)})


def _fingerprints(fields: Fields, name: str) -> tuple[str, ...]:
    listed = fields.array(name)
    found = tuple(one for one in listed if isinstance(one, str) and len(one) == _DIGITS)
    if len(found) != len(listed):
        fields.faults.append(FaultError("FMT007", fields.place, path=name, detail="fingerprints are wanted"))
    return found


def _dumps(value: object) -> bytes:
    from json import dumps

    return (dumps(value, indent=1) + "\n").encode("ascii")
