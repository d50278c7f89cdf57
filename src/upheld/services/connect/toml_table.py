"""One table of a TOML file: put at its end, or cut out. Python's own reader is the judge of both.

What the file says afterwards must be what it said before, and our table more or less; else nothing is edited. So no
form of TOML has to be understood here but the one that we write.
"""

from __future__ import annotations

import json
import re
import tomllib

from upheld.services.connect.jsonc import UneditableError
from upheld.services.connect.ours import is_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)
_BOM = "\ufeff"


def put(text: str, path: tuple[str, ...], entry: Mapping[str, object]) -> str:
    """Return the text with our table as it should be.

    Raises:
        UneditableError: it is no TOML, the table is somebody else's, or ours has a form that is not written here.
    """
    before = _parsed(text)
    present = _at(before, path)
    if present == entry:
        return text
    if present is not None and not is_server(present):
        raise UneditableError(f"a table [{_dotted(path)}] is there that Upheld did not write")
    start, end = _span(text, path) if present is not None else (len(text), len(text))
    newline = "\r\n" if "\r\n" in text else "\n"
    body = f"[{_dotted(path)}]\n" + "".join(f"{key} = {_value(value)}\n" for key, value in entry.items())
    lead = "" if present is not None or not text.strip(f"{_BOM} \t\r\n") else _gap(text, newline)
    made = text[:start] + lead + body.replace("\n", newline) + text[end:]
    return _judged(made, before, path, entry)


def cut(text: str, path: tuple[str, ...]) -> str:
    """Return the text without our table.

    Raises:
        UneditableError: it is no TOML, or the table has a form that is not written here.
    """
    before = _parsed(text)
    if not is_server(_at(before, path)):
        return text
    start, end = _span(text, path)
    kept = text[:start]
    if end == len(text) and re.search(r"\n\r?\n\Z", kept):
        kept = re.sub(r"\r?\n\Z", "", kept)
    elif text[end:].strip() and re.search(r"\n\r?\n\Z", kept) and re.search(r"\r?\n\r?\n\Z", text[start:end]):
        end -= 2 if text[start:end].endswith("\r\n") else 1
    return _judged(kept + text[end:], before, path, None)


def _judged(text: str, before: dict[str, object], path: tuple[str, ...], entry: Mapping[str, object] | None) -> str:
    after = _parsed(text)
    if _at(after, path) != entry or _without(after, path) != _without(before, path):
        raise UneditableError(f"[{_dotted(path)}] does not stand there as a table of its own")
    return text


def _span(text: str, path: tuple[str, ...]) -> tuple[int, int]:
    """Return where our table stands: from its header over tables below it to the next header or the end."""
    name = r"[ \t]*\.[ \t]*".join(f"(?:{re.escape(part)}|\"{re.escape(part)}\"|'{re.escape(part)}')" for part in path)
    header = re.compile(rf"^[ \t]*\[[ \t]*{name}[ \t]*[\].]", re.MULTILINE)
    first = header.search(text)
    if first is None:
        raise UneditableError(f"[{_dotted(path)}] does not stand there as a table of its own")
    end = len(text)
    for found in _HEADER.finditer(text, first.end()):
        if not header.match(text, found.start()):
            end = found.start()
            break
    # Remarks right above the next header belong to it.
    above = re.search(r"(?:^[ \t]*(?:#[^\n]*)?\r?\n)+\Z", text[first.start() : end], re.MULTILINE)
    if end < len(text) and above is not None and "#" in above.group():
        end = first.start() + above.start() + (len(above.group()) - len(above.group().lstrip("\r\n")))
    return first.start(), end


def _gap(text: str, newline: str) -> str:
    return newline if text.endswith("\n") else newline * 2


def _parsed(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.removeprefix(_BOM))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UneditableError(str(error)) from None


def _at(tree: object, path: tuple[str, ...]) -> object:
    for part in path:
        tree = tree.get(part) if isinstance(tree, dict) else None
    return tree


def _without(tree: dict[str, object], path: tuple[str, ...]) -> dict[str, object]:
    """Return a tree without what stands at a path, and without tables that are empty then."""
    first, *rest = path
    made = dict(tree)
    inner = made.get(first)
    if not rest:
        made.pop(first, None)
    elif isinstance(inner, dict):
        made[first] = _without(inner, tuple(rest))
        if not made[first]:
            del made[first]
    return made


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part) for part in path)


def _value(value: object) -> str:
    """Write a text, a number, a truth value or a list of texts; JSON's escapes are TOML's too, but for DEL."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
