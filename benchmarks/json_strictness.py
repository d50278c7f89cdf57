"""What JSON readers do with documents that two readers could understand differently.

Run it in an environment that has the libraries (Upheld itself needs none of them)::

    python -m pip install -e . msgspec orjson pydantic
    python benchmarks/json_strictness.py

It prints the table of docs/adr/0004-strict-json.md. A library that is missing is left out of the table, by name.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from upheld.wire import strictjson

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


def upheld(data: bytes) -> Any:
    """Upheld's own reader: the standard library with hooks, and what the hooks cannot see checked beside them."""
    return strictjson.parse(data, "document.json")


def readers() -> dict[str, Reader]:
    """Every reader that is installed, by its column's title; each is used in the strictest way it offers."""
    found: dict[str, Reader] = {"upheld": upheld, "json": json.loads}
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
