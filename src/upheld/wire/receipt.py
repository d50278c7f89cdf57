"""A receipt: an in-toto Statement v1 (https://github.com/in-toto/attestation, spec/v1/statement.md) about one recall.

Its subject is the source that was served. Its predicate says what was asked and what was checked, and carries the bytes
behind every check. Nothing in it is believed: ``services.receipt_verify`` runs every check again from those bytes.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64

from upheld.errors import FaultError
from upheld.model.value import Value
from upheld.wire import strictjson
from upheld.wire.fields import Fields
from upheld.wire.instant import is_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:upheld:recall:v1"
LIMIT = 64 * 1024 * 1024
CHOSEN_BY = ("caller", "routing", "ambiguous")
"""Named by whoever asked; found by a route; named by whoever asked, out of the choices of an ambiguous route."""


class Receipt(Value):
    """What a receipt brings that no check can work out, and the bytes that everything else is worked out from.

    Attributes:
        key: what was asked for; chosen_by: how the key came to be asked for (``CHOSEN_BY``), as the caller says.
        at: the instant of the recall, UTC, by the clock of the machine that made it.
        not_checked: what was not checked then.
        files: the store's files by name; repository: bound files by name.
        statement: the whole document as it was read; None for one that is being made.
    """

    key: str
    chosen_by: str
    at: str
    not_checked: tuple[str, ...]
    files: Mapping[str, bytes]
    repository: Mapping[str, bytes]
    statement: Mapping[str, object] | None = None


def encode(statement: Mapping[str, object]) -> bytes:
    """Write a statement: two-space JSON in ASCII."""
    from json import dumps

    return (dumps(statement, indent=2) + "\n").encode("ascii")


def packed(files: Mapping[str, bytes]) -> dict[str, object]:
    """Return files as base64 texts by name."""
    return {name: b2a_base64(data, newline=False).decode("ascii") for name, data in sorted(files.items())}


def decode(data: bytes, place: str) -> Receipt:
    """Read a receipt.

    Raises:
        FaultError: the first thing wrong with its form.
    """
    values = strictjson.parse(data, place, limit=LIMIT)
    outer = Fields(values, place)
    _demand(outer, "_type", STATEMENT)
    _demand(outer, "predicateType", PREDICATE)
    predicate = _nested(values, "predicate", place, "")
    asked = _nested(predicate, "asked", place, "predicate")
    inner, question = Fields(predicate, place, "predicate"), Fields(asked, place, "predicate.asked")
    made = Receipt(
        key=question.text("key"),
        chosen_by=question.text("chosen_by"),
        at=inner.text("at"),
        not_checked=_texts(inner, "not_checked"),
        files=_files(predicate, "files", place),
        repository=_files(predicate, "repository", place),
        statement=values,
    )
    if made.chosen_by not in CHOSEN_BY:
        question.fault("FMT007", "chosen_by", "`caller`, `routing` or `ambiguous` is wanted")
    if not is_instant(made.at):
        inner.fault("FMT007", "at", "an instant is wanted, written YYYY-MM-DDThh:mm:ssZ")
    faults = outer.faults + inner.faults + question.faults
    if faults:
        raise faults[0]
    return made


def _demand(fields: Fields, name: str, value: str) -> None:
    if fields.text(name) != value:
        fields.fault("FMT007", name, f"{value} is wanted")


def _nested(values: Mapping[str, object], name: str, place: str, path: str) -> Mapping[str, object]:
    inner = values.get(name)
    if not isinstance(inner, dict):
        code = "FMT007" if name in values else "FMT008"
        raise FaultError(code, place, path=f"{path}.{name}".lstrip("."), detail="an object is wanted")
    return inner


def _texts(fields: Fields, name: str) -> tuple[str, ...]:
    items = fields.array(name)
    if not all(isinstance(item, str) for item in items):
        fields.fault("FMT007", name, "a list of strings is wanted")
    return tuple(str(item) for item in items)


def _files(predicate: Mapping[str, object], name: str, place: str) -> dict[str, bytes]:
    return {
        file: _bytes(text, place, f"predicate.{name}.{file}")
        for file, text in _nested(predicate, name, place, "predicate").items()
    }


def _bytes(text: object, place: str, path: str) -> bytes:
    if not isinstance(text, str):
        raise FaultError("FMT007", place, path=path, detail="base64 is wanted")
    try:
        data = a2b_base64(text.encode("ascii"), strict_mode=True)
    except ValueError:
        raise FaultError("FMT007", place, path=path, detail="it is not base64") from None
    if b2a_base64(data, newline=False).decode("ascii") != text:
        raise FaultError("FMT007", place, path=path, detail="it is not base64 in its one form")
    return data
