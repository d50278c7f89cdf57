"""Where the values of a JSON text stand, for edits that leave every other byte alone.

Comments and trailing commas are read too: several clients allow them in their settings. What is no such text, or says
one key twice on the way to what is edited, is not edited at all.
"""

from __future__ import annotations

import json
import re

from upheld.model.value import Value

_SPACE = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*|/\*(?s:.*?)\*/)*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_DEPTH = 200
_BOM = "\ufeff"


class UneditableError(Exception):
    """A text that is left alone: it is not what its client reads, or its meaning is not one thing. Says why."""


class Node(Value):
    """One value of the text, with its span.

    Attributes:
        start, end: the span of the value itself.
        kind: ``object``, ``array`` or ``plain``.
        keys: of an object's children. names: where each key begins; of an array, where each child begins.
        children: in the order of the text.
        commas: where the comma after each child stands; the last may be missing.
        value: of a plain one.
    """

    start: int
    end: int
    kind: str
    keys: tuple[str, ...] = ()
    names: tuple[int, ...] = ()
    children: tuple[Node, ...] = ()
    commas: tuple[int, ...] = ()
    value: object = None

    def get(self, key: str) -> Node | None:
        """Return the child of this key; None where there is none, or this is no object.

        Raises:
            UneditableError: the key stands there twice.
        """
        found = [child for name, child in zip(self.keys, self.children, strict=False) if name == key]
        if len(found) > 1:
            raise UneditableError(f"the key {json.dumps(key)} stands there twice")
        return found[0] if found else None

    def at(self, path: tuple[str | int, ...]) -> Node | None:
        """Return the node at a path of keys and numbers."""
        node: Node | None = self
        for part in path:
            if node is None:
                return None
            node = node.get(part) if isinstance(part, str) else node.children[part]
        return node

    def plain(self) -> object:
        """Return the value as plain Python values."""
        if self.kind == "object":
            return {key: child.plain() for key, child in zip(self.keys, self.children, strict=True)}
        return [child.plain() for child in self.children] if self.kind == "array" else self.value


def parse(text: str) -> Node:
    """Return the value of a whole text.

    Raises:
        UneditableError: it is not JSON, with or without comments and trailing commas.
    """
    scanner = _Scanner(text)
    start = scanner.space(1 if text.startswith(_BOM) else 0)
    node = scanner.value(start, 0)
    end = scanner.space(node.end)
    if end != len(text):
        raise scanner.wrong(end, "something stands behind the end")
    return node


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text

    def wrong(self, at: int, what: str) -> UneditableError:
        return UneditableError(f"line {self.text.count(chr(10), 0, at) + 1}: {what}")

    def space(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEPTH:
            raise self.wrong(at, "too deeply nested")
        opening = self.text[at : at + 1]
        if opening in ("{", "["):
            return self._container(at, depth, is_object=opening == "{")
        found = _STRING.match(self.text, at) if opening == '"' else _PLAIN.match(self.text, at)
        if found is None:
            raise self.wrong(at, "a value is wanted")
        return Node(start=at, end=found.end(), kind="plain", value=json.loads(found.group()))

    def _container(self, start: int, depth: int, *, is_object: bool) -> Node:
        closing = "}" if is_object else "]"
        keys: list[str] = []
        names: list[int] = []
        children: list[Node] = []
        commas: list[int] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != closing:
            if len(commas) < len(children):
                raise self.wrong(at, f"a comma or `{closing}` is wanted")
            names.append(at)
            if is_object:
                at = self._key(at, keys)
            children.append(self.value(at, depth + 1))
            at = self.space(children[-1].end)
            if self.text[at : at + 1] == ",":
                commas.append(at)
                at = self.space(at + 1)
        return Node(
            start=start,
            end=at + 1,
            kind="object" if is_object else "array",
            keys=tuple(keys),
            names=tuple(names),
            children=tuple(children),
            commas=tuple(commas),
        )

    def _key(self, at: int, keys: list[str]) -> int:
        found = _STRING.match(self.text, at)
        if found is None:
            raise self.wrong(at, "a key is wanted")
        keys.append(json.loads(found.group()))
        colon = self.space(found.end())
        if self.text[colon : colon + 1] != ":":
            raise self.wrong(colon, "a colon is wanted")
        return self.space(colon + 1)
