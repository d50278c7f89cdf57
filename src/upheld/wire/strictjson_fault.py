"""What is wrong with a JSON document that ``wire.strictjson`` refused, and where. Loaded only then."""

from __future__ import annotations

import json

from upheld.errors import FaultError
from upheld.wire import strictjson
from upheld.wire import text as _text


class _Pairs(list[tuple[str, object]]):
    """A JSON object with nothing thrown away."""


class _Number(str):
    """A number as it was written."""


class _Constant(str):
    """NaN or an infinity, as it was written."""


def _loose(text: str) -> object:
    return json.loads(
        text,
        strict=False,
        object_pairs_hook=_Pairs,
        parse_int=_Number,
        parse_float=_Number,
        parse_constant=_Constant,
    )


def strings(data: bytes) -> frozenset[str]:
    """Return every string in a document that strict parsing refused, read as loosely as can be.

    Used to decide which chains an unreadable record may belong to; nothing of it is ever served.
    """
    text = data.decode("utf-8", "replace").lstrip("\ufeff")
    try:
        tree = _loose(text)
    except (ValueError, RecursionError):
        return frozenset(text.split('"'))
    found: set[str] = set()
    stack = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, _Pairs):
            found.update(key for key, _ in item)
            stack += [value for _, value in item]
        elif isinstance(item, list):
            stack += item
        elif isinstance(item, str):
            found.add(item)
    return frozenset(found)


def explain(data: bytes, text: str, place: str) -> FaultError:
    """Return the first fault of a refused document, with its dotted path."""
    line = _text.conflict_line(data)
    if line:
        return FaultError("FMT011", place, detail=f"line {line}")
    try:
        tree = _loose(text)
    except RecursionError:
        return FaultError("FMT006", place, detail=f"deeper than {strictjson.MAX_DEPTH}")
    except json.JSONDecodeError as error:
        return FaultError("FMT003", place, detail=f"{error.msg} at line {error.lineno} column {error.colno}")
    except ValueError as error:
        return FaultError("FMT003", place, detail=str(error))
    if not isinstance(tree, _Pairs):
        return FaultError("FMT007", place, detail="the document is not a JSON object")
    return _first_fault(tree, place)


def _first_fault(tree: object, place: str) -> FaultError:
    stack: list[tuple[object, str, int]] = [(tree, "", 1)]
    while stack:
        item, path, depth = stack.pop()
        fault = _fault_of(item, path, depth, place)
        if fault is not None:
            return fault
        if isinstance(item, _Pairs):
            stack += [(value, f"{path}.{key}" if path else key, depth + 1) for key, value in reversed(item)]
        elif isinstance(item, list):
            stack += [(value, f"{path}[{number}]", depth + 1) for number, value in reversed(list(enumerate(item)))]
    # `json` with strict=False took what the strict scanner would not: a raw control character in a string.
    return FaultError("FMT009", place, detail="a raw control character inside a string")


def _fault_of(item: object, path: str, depth: int, place: str) -> FaultError | None:
    if depth > strictjson.MAX_DEPTH + 1:
        return FaultError("FMT006", place, path=shown(path), detail=f"deeper than {strictjson.MAX_DEPTH}")
    if isinstance(item, _Constant):
        return FaultError("FMT005", place, path=shown(path), detail=str(item))
    if isinstance(item, _Number):
        return _fault_of_number(item, shown(path), place)
    if isinstance(item, _Pairs):
        return _fault_of_object(item, path, place)
    if isinstance(item, str):
        return _fault_of_text(item, shown(path), place)
    return None


def _fault_of_number(number: str, path: str, place: str) -> FaultError | None:
    try:
        (strictjson._integer if number.lstrip("-").isdigit() else strictjson._float)(number)
    except strictjson._Rejected:
        return FaultError("FMT005", place, path=path, detail=number[:24])
    return None


def _fault_of_object(pairs: _Pairs, path: str, place: str) -> FaultError | None:
    seen: set[str] = set()
    for key, _ in pairs:
        here = shown(f"{path}.{key}" if path else key)
        if key in seen:
            return FaultError("FMT004", place, path=here)
        seen.add(key)
        fault = _fault_of_text(key, here, place)
        if fault is not None:
            return fault
    return None


def _fault_of_text(text: str, path: str, place: str) -> FaultError | None:
    if strictjson.has_surrogate(text):
        return FaultError("FMT010", place, path=path)
    controls = _text.forbidden(text)
    return FaultError("FMT009", place, path=path, detail=controls) if controls else None


def shown(path: str) -> str:
    """Make a dotted path safe to show: bounded, and with nothing that a terminal would act on."""
    safe = "".join(character if character.isprintable() else f"\\u{ord(character):04x}" for character in path)
    return safe if len(safe) <= 200 else safe[:199] + "…"
