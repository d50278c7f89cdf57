"""Our block in a file of instructions: between two marks, the first of which carries the digest of what is between."""

from __future__ import annotations

import re

from upheld.model.value import Value
from upheld.wire.digest import sha256_hex

_FOUND = re.compile(
    r"(?P<gap>(?:\r?\n)?)^<!-- upheld:begin sha256=(?P<digest>[0-9a-f]{16})[^\n]*-->\r?\n"
    r"(?P<body>.*?)^<!-- upheld:end -->(?:\r?\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


class Found(Value):
    """A block that stands in a text; ``is_edited`` when its lines are not those that we wrote."""

    start: int
    end: int
    gap: int
    is_edited: bool


def find(text: str) -> tuple[Found, ...]:
    """Return every block of ours."""
    return tuple(
        Found(
            start=found.start() + len(found["gap"]),
            end=found.end(),
            gap=len(found["gap"]),
            is_edited=digest(found["body"]) != found["digest"],
        )
        for found in _FOUND.finditer(text)
    )


def put(text: str, lines: tuple[str, ...]) -> str:
    """Return the text with the block, in place of the one that is there, else at its end."""
    found = find(text)
    # A block that is there keeps its own line ends: what stands before it may end in a lone carriage return.
    newline = "\r\n" if "\r\n" in (text[found[0].start : found[0].end] if found else text) else "\n"
    body = "".join(f"{line}\n" for line in lines)
    made = f"<!-- upheld:begin sha256={digest(body)} (written by `upheld connect`) -->\n{body}<!-- upheld:end -->\n"
    made = made.replace("\n", newline)
    if found:
        first = found[0]
        end = made if text[: first.end].endswith("\n") else made.removesuffix(newline)
        return cut_from(text[: first.start] + end, text[first.end :])
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return text + gap + made


def cut_from(before: str, after: str) -> str:
    """Return both with every block of ours taken out of the second."""
    for found in reversed(find(after)):
        after = after[: found.start - found.gap] + after[found.end :]
    return before + after


def cut(text: str) -> str:
    """Return the text without our block, and without the blank line before it."""
    return cut_from("", text)


def digest(body: str) -> str:
    """Return the first half of the digest of a block's lines, whatever its line ends are."""
    return sha256_hex(body.replace("\r\n", "\n").encode())[:16]
