"""JSON that means one thing to every reader, or is refused.

The standard library's scanner with hooks: no duplicate keys however they are spelled, no NaN or Infinity, no number out
of range, bounded depth and size, no lone surrogates, no control characters (RFC 8259 leaves all of these to the
implementation; I-JSON, RFC 7493, rules most of them out). docs/adr/0004 shows what other parsers let through.

The C scanner is used without the ``json`` package, which would cost as much as the rest of a recall. Where a document
is refused, ``wire.strictjson_fault`` is loaded to say what and where.
"""

from __future__ import annotations

from itertools import chain

from upheld.errors import FaultError
from upheld.wire import text as _text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_DEPTH = 32
MAX_BYTES = 4 * 1024 * 1024
_MAX_INTEGER = 2**53 - 1  # RFC 7493 section 2.2: beyond it readers disagree
_SPACE = " \t\n\r"


class _Rejected(Exception):  # noqa: N818 - a signal between a hook and its caller, never seen outside
    """Raised by a hook; only says that the slow path must look."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _Rejected
    return made


def _integer(digits: str) -> int:
    if len(digits) > 17:
        raise _Rejected
    number = int(digits)
    if not -_MAX_INTEGER <= number <= _MAX_INTEGER:
        raise _Rejected
    return number


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _Rejected
    return number


def _constant(name: str) -> object:
    raise _Rejected


class _Hooks:
    """What the C scanner reads its settings from."""

    strict = True
    object_hook = None
    object_pairs_hook: Callable[[list[tuple[str, object]]], dict[str, object]] | None = staticmethod(_object)
    parse_int = staticmethod(_integer)
    parse_float = staticmethod(_float)
    parse_constant = staticmethod(_constant)


class _LooseHooks(_Hooks):
    """The same, but the last of two equal names is kept without a word: for ``_plain``, which counts them."""

    object_pairs_hook = None


def _load_scanner(hooks: type[_Hooks]) -> Callable[[str, int], tuple[Any, int]]:
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without the accelerator
        from json import JSONDecoder

        pairs_hook = hooks.object_pairs_hook
        decoder = JSONDecoder(
            object_pairs_hook=pairs_hook, parse_int=_integer, parse_float=_float, parse_constant=_constant
        )
        return decoder.raw_decode
    scanner: Callable[[str, int], tuple[Any, int]] = make_scanner(hooks())  # type: ignore[arg-type]  # it reads attributes only
    return scanner


_scan = _load_scanner(_Hooks)
_scan_loosely = _load_scanner(_LooseHooks)


def parse(data: bytes, place: str, *, limit: int = MAX_BYTES) -> dict[str, object]:
    """Parse one JSON object strictly.

    Args:
        data: the file's bytes.
        place: the file's name, for the fault.
        limit: the largest size in bytes.

    Raises:
        FaultError: STO005 (too large), FMT001-FMT011, with the dotted path of the first fault.
    """
    if len(data) > limit:
        raise FaultError("STO005", place, detail=f"more than {limit} bytes")
    plain = _plain(data)
    if plain is not None:
        return plain
    text = _text.decode(data, place)
    try:
        value, end = _scan(text, 0 if text.startswith("{") else _skip_space(text, 0))
    # SystemError: on CPython 3.11 the bare scanner raises it where `json` would raise JSONDecodeError.
    except (_Rejected, StopIteration, ValueError, RecursionError, SystemError):
        raise _explain(data, text, place) from None
    is_whole = text[end:] in ("", "\n") or _skip_space(text, end) == len(text)
    if not is_whole or type(value) is not dict or not _is_clean(data, value):
        raise _explain(data, text, place)
    return value


def _plain(data: bytes) -> dict[str, object] | None:
    """Parse what nearly every file is: ASCII without an escape, from ``{`` to ``}``. None where the long way must look.

    Such bytes hold no mark, no surrogate and no control character that the scanner would not refuse by itself. Without
    an escape each name and each string has two quotes, so a name that stood twice leaves more quotes than the value
    that came of it accounts for.
    """
    if not data.isascii() or b"\\" in data or b"\x7f" in data:
        return None
    try:
        value, end = _scan_loosely(data.decode("ascii"), 0)
    except (_Rejected, StopIteration, ValueError, RecursionError, SystemError):
        return None
    if type(value) is not dict or data[end:] not in (b"", b"\n"):
        return None
    return value if _quotes(value) == data.count(b'"') else None


def _quotes(value: dict[str, object]) -> int:
    """Return how many quotes the names and strings of a value take; -1 where it is deeper than ``_walk`` allows.

    Level by level, and by functions that step in C: the leaves of an index hold most of what is ever parsed.
    """
    level: list[Any] = [value]
    texts = 0
    for _ in range(MAX_DEPTH):
        objects = [item for item in level if type(item) is dict]
        inside = list(chain.from_iterable(map(dict.values, objects)))
        if len(objects) < len(level):
            inside += chain.from_iterable(item for item in level if type(item) is list)
        kinds = list(map(type, inside))
        texts += sum(map(len, objects)) + kinds.count(str)
        if not kinds.count(dict) and not kinds.count(list):
            return 2 * texts
        level = [item for item in inside if type(item) is dict or type(item) is list]
    return -1 if any(level) else 2 * texts


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _is_clean(data: bytes, value: dict[str, object]) -> bool:
    """Whether depth, surrogates and control characters are in order; a walk is taken only where bytes suggest it."""
    plain = b"\\" not in data and b"\x7f" not in data and (data.isascii() or not _has_c1(data))
    if plain and data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
        return True
    return _walk(value, check_text=not plain)


def _has_c1(data: bytes) -> bool:
    at = data.find(b"\xc2")
    while at != -1:
        if data[at + 1] < 0xA0:
            return True
        at = data.find(b"\xc2", at + 1)
    return False


def _walk(value: object, *, check_text: bool) -> bool:
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        if depth > MAX_DEPTH + 1:
            return False
        if type(item) is dict:
            if check_text and not all(map(is_clean_text, item)):
                return False
            stack += [(inner, depth + 1) for inner in item.values()]
        elif type(item) is list:
            stack += [(inner, depth + 1) for inner in item]
        elif check_text and type(item) is str and not is_clean_text(item):
            return False
    return True


def is_clean_text(text: str) -> bool:
    """Whether a decoded string holds neither lone surrogates nor control characters."""
    return text.isprintable() or (not _text.forbidden(text) and not has_surrogate(text))


def has_surrogate(text: str) -> bool:
    """Whether a decoded string holds half of a surrogate pair, which no UTF-8 can carry."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _explain(data: bytes, text: str, place: str) -> FaultError:
    from upheld.wire.strictjson_fault import explain

    return explain(data, text, place)
