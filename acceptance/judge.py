"""Judge what a model was sent: which instructions arrived, whether each is current and whole, and what else was said.

Nothing here trusts the program under test: texts are looked for by their own words, frames are held to the texts that
the harness itself remembered, and what is old, changed or proposed is looked for everywhere, side requests included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from upheld.model.value import Value

RIGHT, CANDIDATES, NOTICE, WRONG, UNTRUE, SILENT = "right", "candidates", "notice", "wrong", "untrue", "silent"
OUTCOMES = (RIGHT, CANDIDATES, NOTICE, WRONG, UNTRUE, SILENT)
"""What a prompt can come to, best first; ``untrue`` is a text that is not current and verified."""

_FRAME = re.compile(
    r"\[upheld (?P<mark>[0-9a-f]{12})\] memory `(?P<key>[^`\n]+)`: (?P<standing>[^\n]*)\n"
    r"(?P<head>(?:\[upheld (?P=mark)\] [^\n]*\n)*)"
    r"(?P<body>.*?)\n\[upheld (?P=mark)\] (?:end of|cut:)",
    re.DOTALL,
)
_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})')
_NAMED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_DEPTH = 4


class Frame(Value):
    """One framed text, as it was read out of a request."""

    key: str
    standing: str
    body: str


class Sight(Value):
    """What a set of requests held.

    Attributes:
        served: the keys whose current text was there.
        untrue: what was there and is not current and verified, each in words.
        most: for each key, how often one request held its text.
    """

    served: frozenset[str]
    untrue: tuple[str, ...]
    most: Mapping[str, int]


def strings(value: Any) -> Iterator[str]:
    """Every text of a JSON document, in order."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            waiting.extend(reversed(list(part.values())))
        elif isinstance(part, list):
            waiting.extend(reversed(part))


def unescaped(text: str) -> str:
    """A text with JSON's escapes undone, as often as clients put one document into the text of another."""
    for _ in range(_DEPTH):
        plain = _ESCAPE.sub(_character, text)
        if plain == text:
            break
        text = plain
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(found: re.Match[str]) -> str:
    named = found[1]
    return chr(int(named[1:], 16)) if named[0] == "u" else _NAMED.get(named, named)


def text_of(body: Any) -> str:
    """All texts of a request, one below the other."""
    return "\n".join(unescaped(text) for text in strings(body))


def instruction_of(text: str) -> str:
    """The line that instructs: the first that is neither blank nor a heading."""
    lines = (line.strip() for line in text.splitlines())
    return next(line for line in lines if line and not line.startswith("#"))


def frames(text: str) -> tuple[Frame, ...]:
    """Every frame of ours in a text."""
    return tuple(
        Frame(key=found["key"], standing=found["standing"], body=found["body"]) for found in _FRAME.finditer(text)
    )


def look(bodies: Iterable[Any], held: Mapping[str, str], never: Iterable[str] = ()) -> Sight:
    """Look through requests.

    Args:
        bodies: the decoded requests.
        held: every key with its current text.
        never: texts that must not arrive: old, changed or proposed ones.
    """
    wanted = {key: instruction_of(text) for key, text in held.items()}
    banned = tuple(instruction_of(text) for text in never)
    served: set[str] = set()
    untrue: set[str] = set()
    most: dict[str, int] = {}
    for body in bodies:
        text = text_of(body)
        framed = frames(text)
        for key, line in wanted.items():
            if line in text:
                served.add(key)
                most[key] = max(most.get(key, 0), text.count(line))
        untrue.update(f"arrived: {line}" for line in banned if line in text)
        untrue.update(_faults(framed, held))
    return Sight(served=frozenset(served), untrue=tuple(sorted(untrue)), most=most)


def _faults(framed: Iterable[Frame], held: Mapping[str, str]) -> Iterator[str]:
    for frame in framed:
        current = held.get(frame.key)
        if frame.standing != "verified":
            yield f"framed as {frame.standing}: {frame.key}"
        if current is None or frame.body.strip() != current.strip():
            yield f"framed, and not the current text of {frame.key}"


def outcome(expects: str, sight: Sight, line: str, candidates: frozenset[str]) -> str:
    """What one prompt came to.

    Args:
        expects: the key that governs it; nothing where none does.
        sight: what its requests held.
        line: what Upheld said to the prompt besides a text; empty where it said nothing.
        candidates: the keys that it offered for a choice.
    """
    if sight.untrue:
        return UNTRUE
    if sight.served - {expects}:
        return WRONG
    if sight.served:
        return RIGHT
    if candidates and (expects in candidates or not expects):
        return CANDIDATES
    return NOTICE if line else SILENT


def right(expects: str, came_to: str) -> bool:
    """Whether that was exactly right: the text where one governs, none where none does."""
    return came_to == (RIGHT if expects else NOTICE)
