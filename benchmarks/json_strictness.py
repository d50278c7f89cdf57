"""What JSON readers do with documents that two readers could understand differently.

Run it in an environment that has the libraries (Upheld itself needs none of them)::

    python -m pip install msgspec orjson pydantic
    python benchmarks/json_strictness.py

It prints the table of docs/adr/0004-strict-json.md. A library that is missing is left out of the table, by name.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import math
import platform
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Reader = Callable[[bytes], Any]

DOCUMENTS: dict[str, bytes] = {
    "duplicate key": b'{"id": "first", "id": "last"}',
    r"duplicate key, one spelt `\u0069d`": b'{"id": "first", "\\u0069d": "last"}',
    "`NaN`": b'{"n": NaN}',
    "`Infinity`": b'{"n": Infinity}',
    "`1e999`": b'{"n": 1e999}',
    "integer of 400 digits": b'{"n": ' + b"9" * 400 + b"}",
    "integer 2^53 + 1": b'{"n": 9007199254740993}',
    "100,000 nested arrays": b'{"deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "500 nested arrays": b'{"deep": ' + b"[" * 500 + b"]" * 500 + b"}",
    r"lone surrogate `\ud800`": b'{"id": "\\ud800"}',
    "surrogate in the bytes (CESU)": b'{"id": "\xed\xa0\x80"}',
    "byte-order mark": b'\xef\xbb\xbf{"id": "a"}',
    "UTF-16": '{"id": "a"}'.encode("utf-16"),
    "text after the document": b'{"id": "a"} {"id": "b"}',
    r"control character `\u0007`, escaped": b'{"id": "a\\u0007"}',
    "control character, raw": b'{"id": "a\x07"}',
}


def with_hooks(data: bytes) -> Any:
    """The standard library, told to refuse: the shape of what ``upheld.wire`` does, without its error paths.

    Raises:
        ValueError: the bytes are not one document that every reader understands alike.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise ValueError("byte-order mark")
    text = data.decode("utf-8")  # strict: refuses UTF-16 and surrogates in the bytes
    if _depth(text) > 64:
        raise ValueError("nested too deep")
    return json.loads(
        text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant, parse_float=_finite, parse_int=_exact
    )


def _depth(text: str) -> int:
    """The deepest nesting, counted without recursion; brackets inside strings only overstate it."""
    deepest = depth = 0
    for character in text:
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    return deepest


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("duplicate key")
    for text in [*made, *(value for value in made.values() if isinstance(value, str))]:
        text.encode("utf-8")  # refuses lone surrogates that came in as escapes
        if any(ord(character) < 32 and character not in "\t\n" for character in text):
            raise ValueError("control character")
    return made


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("out of range")
    return number


def _exact(digits: str) -> int:
    if len(digits) > 16 or abs(int(digits)) > 2**53 - 1:
        raise ValueError("out of range")
    return int(digits)


def readers() -> dict[str, Reader]:
    """Every reader that is installed, by its column's title; each is used in the strictest way it offers."""
    found: dict[str, Reader] = {"json with hooks": with_hooks, "json": json.loads}
    for module, add in (("msgspec", _msgspec), ("orjson", _orjson), ("pydantic", _pydantic)):
        try:
            library = importlib.import_module(module)
        except ImportError:
            print(f"{module} is not installed: left out\n")
            continue
        add(library, found)
    return found


def _msgspec(library: Any, found: dict[str, Reader]) -> None:
    fields = [("id", str, ""), ("n", float, 0.0), ("deep", Any, None)]
    struct = library.defstruct("Document", fields, forbid_unknown_fields=True)
    found["msgspec"] = library.json.decode
    found["msgspec, typed"] = library.json.Decoder(struct, strict=True).decode


def _orjson(library: Any, found: dict[str, Reader]) -> None:
    found["orjson"] = library.loads


def _pydantic(library: Any, found: dict[str, Reader]) -> None:
    config = library.ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
    model = library.create_model("Document", __config__=config, id=(str, ""), n=(float, 0.0), deep=(Any, None))
    found["pydantic, strict"] = model.model_validate_json


@dataclass(frozen=True)
class Observed:
    """What one reader did with one document."""

    refused: bool
    what: str

    def __str__(self) -> str:
        return "refused" if self.refused else f"**{self.what}**"


def observe(read: Reader, document: bytes) -> Observed:
    """Read one document; an exception is a refusal, whatever its type."""
    try:
        value = read(document)
    except Exception as error:  # noqa: BLE001 - any exception of any library counts as a refusal here
        return Observed(True, type(error).__name__)
    return Observed(False, _shown(value))


def _shown(value: Any) -> str:
    members = value if isinstance(value, dict) else {name: getattr(value, name) for name in ("id", "n", "deep")}
    for name in ("deep", "n", "id"):
        if members.get(name):
            return _short(members[name])
    return _short(value)


def _short(value: Any) -> str:
    if isinstance(value, list):
        return "read"
    if isinstance(value, int) and value > 2**64:
        return f"an int of {value.bit_length()} bits"
    return ascii(value)


def main() -> None:
    """Print the versions and the table."""
    columns = readers()
    names = [name for name in ("msgspec", "orjson", "pydantic") if any(name in title for title in columns)]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names)
    print(f"Python {platform.python_version()}{', ' if versions else ''}{versions}\n")
    print("| document | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for title, document in DOCUMENTS.items():
        print(f"| {title} | " + " | ".join(str(observe(read, document)) for read in columns.values()) + " |")
    accepted = [
        sum(not observe(read, document).refused for document in DOCUMENTS.values()) for read in columns.values()
    ]
    print(f"| accepted, of {len(DOCUMENTS)} | " + " | ".join(map(str, accepted)) + " |")


if __name__ == "__main__":
    main()
