"""Read what a client sends: all of standard input, as one JSON object.

Strict in form (one object, UTF-8, no key twice), and lenient in what the strings hold: a prompt or a tool's input may
hold any character at all, terminal escapes and halves of surrogate pairs included.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_BYTES = 8 * 1024 * 1024
_CHUNK = 1 << 16
_MARK = b"\xef\xbb\xbf"


class Malformed(Exception):  # noqa: N818 - named for what the client sent
    """What a client sent is not what its dialect promises."""


def read_input(descriptor: int = 0) -> bytes:
    """Read everything up to the end of the input.

    Raises:
        Malformed: it is closed, cannot be read, or is larger than any event.
    """
    parts: list[bytes] = []
    size = 0
    try:
        while part := os.read(descriptor, _CHUNK):
            size += len(part)
            if size > MAX_BYTES:
                raise Malformed(f"more than {MAX_BYTES} bytes")
            parts.append(part)
    except OSError as error:
        raise Malformed(f"standard input: {os.strerror(error.errno or 0)}") from None
    return b"".join(parts)


class _TwiceError(ValueError):
    """An object names one key twice."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _TwiceError
    return made


class _Hooks:
    """What the C scanner reads its settings from."""

    strict = False
    object_hook = None
    object_pairs_hook = staticmethod(_object)
    parse_int = int
    parse_float = float
    parse_constant = float


def _load_scanner() -> Callable[[str, int], tuple[Any, int]]:
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without the accelerator
        from json import JSONDecoder

        return JSONDecoder(object_pairs_hook=_object, strict=False).raw_decode
    scanner: Callable[[str, int], tuple[Any, int]] = make_scanner(_Hooks())  # type: ignore[arg-type]  # it reads attributes only
    return scanner


def parse(data: bytes) -> dict[str, object]:
    """Return the object that the bytes are.

    Raises:
        Malformed: they are anything else.
    """
    try:
        text = data.removeprefix(_MARK).decode("utf-8").strip(" \t\r\n")
        value, end = _load_scanner()(text, 0)
    # StopIteration and SystemError: how the bare scanner says that a document is malformed.
    except (ValueError, StopIteration, SystemError, RecursionError):
        raise Malformed("not one JSON object in UTF-8") from None
    if type(value) is not dict or end != len(text):
        raise Malformed("not one JSON object")
    return value


def text(payload: dict[str, object], *names: str) -> str:
    """Return the first of these fields that is a string, made fit for UTF-8; empty where none is.

    Raises:
        Malformed: a field of one of these names holds something else.
    """
    for name in names:
        value = payload.get(name)
        if type(value) is str:
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        if value is not None:
            raise Malformed(f"{name} is no string")
    return ""


def wanted(payload: dict[str, object], *names: str) -> str:
    """Return the first of these fields; one of them must be there.

    Raises:
        Malformed: none is.
    """
    if not any(type(payload.get(name)) is str for name in names):
        raise Malformed(f"{names[0]} is missing")
    return text(payload, *names)


def texts(payload: dict[str, object], *names: str) -> tuple[str, ...]:
    """Return the strings of the first of these fields that is an array; none where none is."""
    for name in names:
        value = payload.get(name)
        if type(value) is list:
            return tuple(item for item in value if type(item) is str)
    return ()


def inner(payload: dict[str, object], *names: str) -> dict[str, object]:
    """Return the first of these fields as an object; some clients send it as JSON inside a string."""
    for name in names:
        value = payload.get(name)
        if type(value) is dict:
            return value
        if type(value) is str and value.lstrip().startswith("{"):
            return parse(value.encode("utf-8", "replace"))
        if value is not None:
            return {"input": value}
    return {}
