"""Put a value into a JSON text, and take one out, without touching another byte.

A new value goes to the end of its object or array, in the text's own indentation and line ends. Arrays are only
appended to: Codex names the hooks that a person trusts by their number, so an entry in front would undo that trust.
"""

from __future__ import annotations

import json
import re

from upheld.services.connect.jsonc import Node, UneditableError, parse

_REMARKS = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/))+(?=[ \t]*\r?\n)")
_INDENT = re.compile(r"\n([ \t]+)[\"'\[{]")

Path = tuple[str | int, ...]


def put(text: str, path: tuple[str, ...], value: object) -> str:
    """Set the member at a path of keys, making the objects on the way.

    Raises:
        UneditableError: something on the way is no object.
    """
    node = parse(text)
    if node.kind != "object":
        raise UneditableError("the whole is no object")
    for number, key in enumerate(path):
        child = node.get(key)
        if child is None:
            for outer in reversed(path[number + 1 :]):
                value = {outer: value}
            return _insert(text, node, value, number, key)
        if number == len(path) - 1:
            return replace(text, child, value)
        if child.kind != "object":
            raise UneditableError(f"`{'.'.join(path[: number + 1])}` is no object")
        node = child
    raise UneditableError("no path")


def append(text: str, path: tuple[str, ...], value: object) -> str:
    """Append to the array at a path of keys, making it and the objects on the way.

    Raises:
        UneditableError: what stands there is no array.
    """
    found = parse(text).at(path)
    if found is None:
        return put(text, path, [value])
    if found.kind != "array":
        raise UneditableError(f"`{'.'.join(path)}` is no array")
    return _insert(text, found, value, len(path), None)


def replace(text: str, node: Node, value: object) -> str:
    """Write another value over one."""
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    lead = line[: len(line) - len(line.lstrip())]
    is_flat = "\n" not in text[node.start : node.end]
    flow = _flat(value) if is_flat and node.kind != "plain" else _block(text, value, lead)
    return text[: node.start] + flow + text[node.end :]


def cut(text: str, path: Path) -> str:
    """Take out the member or element at a path, with the comma that it brought."""
    root = parse(text)
    parent = root.at(path[:-1])
    last = path[-1]
    if parent is None:
        raise UneditableError("nothing is there")
    number = parent.keys.index(last) if isinstance(last, str) else last
    start = len(text[: parent.names[number]].rstrip(" \t\r\n"))
    child = parent.children[number]
    gap = text[start : parent.names[number]]
    if number < len(parent.commas):
        return _joined(text[:start], gap, text[parent.commas[number] + 1 :])
    if number:
        comma = parent.commas[number - 1]
        return _joined(text[:comma] + text[comma + 1 : start], gap, text[child.end :])
    rest = text[child.end : parent.end - 1]
    return _joined(text[:start], gap, (rest if rest.strip(" \t\r\n") else "") + text[parent.end - 1 :])


def _joined(left: str, gap: str, right: str) -> str:
    """Join what stands round a value that went; a remark to the end of its line keeps that end."""
    is_open = "//" in left[left.rfind("\n") + 1 :] and "\n" in gap
    if is_open and "\n" not in right[: len(right) - len(right.lstrip(" \t\r\n"))]:
        return left + ("\r\n" if "\r\n" in gap else "\n") + right
    return left + right


def _insert(text: str, parent: Node, value: object, depth: int, key: str | None) -> str:
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if not parent.children:
        return _first(text, parent, name, value, depth)
    last = parent.children[-1]
    has_comma = len(parent.commas) == len(parent.children)
    end = parent.commas[-1] + 1 if has_comma else last.end
    before = text[parent.start : parent.names[-1]]
    if "\n" not in before:
        added = f" {name}{_flat(value)}," if has_comma else f", {name}{_flat(value)}"
        return text[:end] + added + text[end:]
    line = text[text.rfind("\n", 0, parent.names[-1]) + 1 : parent.names[-1]]
    lead = line[: len(line) - len(line.lstrip())]
    remarks = _REMARKS.match(text, end)
    behind = remarks.end() if remarks else end
    made = f"{_newline(text)}{lead}{name}{_block(text, value, lead)}"
    if has_comma:
        return text[:behind] + made + "," + text[behind:]
    return text[: last.end] + "," + text[last.end : behind] + made + text[behind:]


def _first(text: str, parent: Node, name: str, value: object, depth: int) -> str:
    line = text[text.rfind("\n", 0, parent.start) + 1 : parent.start]
    outer = line[: len(line) - len(line.lstrip())] if depth else ""
    inner = outer + _unit(text)
    newline = _newline(text)
    rest = text[parent.start + 1 :]
    closing = rest.lstrip(" \t\r\n") if rest.lstrip(" \t\r\n")[:1] in ("}", "]") else rest
    return text[: parent.start + 1] + f"{newline}{inner}{name}{_block(text, value, inner)}{newline}{outer}{closing}"


def _flat(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _block(text: str, value: object, lead: str) -> str:
    made = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return made.replace("\n", f"{_newline(text)}{lead}")


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """Return one step of indentation: that of the first line that has any."""
    found = _INDENT.search(text)
    return found.group(1) if found else "  "
