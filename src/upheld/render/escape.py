"""Make any text safe to show: nothing in it can act on a terminal or a build log, hide, or forge a line of ours.

Stands on the cold path: no ``re``, no ``unicodedata``.
"""

from __future__ import annotations

_SPELLED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_JOINERS = frozenset((0x200C, 0x200D))
"""Persian, Hindi and emoji are wrong without them, and no terminal obeys them."""
_BLANK = (
    (0x34F, 0x34F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0D),
    (0xFFA0, 0xFFA0),
    (0xE0100, 0xE01EF),
)
"""First and last code point of what Python calls printable and nobody can see."""


def escape(text: str, *, lines: bool = False) -> str:
    """Return ``text`` with every character that does not print as itself written out (``\\x1b``, ``\\u202e``).

    What a build service would take for a command is broken up in the same way: ``::`` at the start of a line (GitHub
    Actions reads ``::error::`` there) and ``##[`` or ``##vso[`` anywhere (GitHub Actions, Azure Pipelines).

    Args:
        text: anything.
        lines: keep line feeds and tabs (and take a CR LF pair for a line feed); otherwise they are written out too.
    """
    if "::" in text or "##" in text:
        text = "\n".join(map(_defused, text.split("\n")))
    if text.isascii() and text.isprintable():
        return text
    if not lines:
        return "".join(_written(character) for character in text)
    return "\n".join(
        "\t".join("".join(map(_written, part)) for part in line.removesuffix("\r").split("\t"))
        for line in text.split("\n")
    )


def bounded(text: str, limit: int) -> str:
    """Return ``text`` escaped for one line, and cut after ``limit`` characters with a word on how many are missing."""
    if len(text) <= limit:
        return escape(text)
    return f"{escape(text[:limit])}… ({len(text) - limit:,} more characters)"


def _defused(line: str) -> str:
    start = line.lstrip()
    if start.startswith("::"):
        line = f"{line[: len(line) - len(start)]}\\x3a{start[1:]}"
    return line.replace("##[", "#\\x23[").replace("##vso[", "#\\x23vso[")


def _is_blank(code: int) -> bool:
    return code >= _BLANK[0][0] and any(first <= code <= last for first, last in _BLANK)


def _written(character: str) -> str:
    code = ord(character)
    if code in _JOINERS or (character.isprintable() and not _is_blank(code)):
        return character
    if character in _SPELLED:
        return _SPELLED[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
