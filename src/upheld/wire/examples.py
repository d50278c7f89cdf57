"""The examples of one trigger: ``triggers/<key>.<digest12>.json``, bound by its pointer's ``trigger_sha256``."""

from __future__ import annotations

from upheld.model.value import Value
from upheld.wire import strictjson
from upheld.wire.digest import sha256_hex
from upheld.wire.fields import Fields

MAX_BYTES = 1024 * 1024


class Examples(Value):
    """Tasks that a pointer governs (``fires``) and that it does not (``nots``)."""

    fires: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()


def decode(data: bytes, place: str) -> Examples:
    """Read examples.

    Raises:
        FaultError: they are malformed.
    """
    fields = Fields(strictjson.parse(data, place, limit=MAX_BYTES), place)
    listed = {name: fields.array(name) for name in ("fires", "nots")}
    for name, texts in listed.items():
        if any(type(text) is not str for text in texts):
            fields.fault("FMT007", name, "strings are wanted")
    if not any(name in fields.values for name in listed):
        fields.fault("FMT008", "fires", "it is missing, and so is `nots`")
    if fields.faults:
        raise fields.faults[0]
    return Examples(**{name: tuple(str(text) for text in texts) for name, texts in listed.items()})


def place_of(key: str, sha256: str) -> str:
    """Return the file that holds the examples of a key."""
    return f"triggers/{key}.{sha256[:12]}.json"


def encode(key: str, examples: Examples) -> tuple[str, bytes, str]:
    """Return the file's name, its bytes and their digest."""
    from json import dumps

    fields = {"fires": list(examples.fires), "nots": list(examples.nots)}
    data = (dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
    digest = sha256_hex(data)
    return place_of(key, digest), data, digest
