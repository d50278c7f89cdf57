"""Make any text safe to print: what a terminal would obey, and what nobody can see, becomes visible.

Every renderer passes every untrusted text through here: names, keys, places, excerpts, served text. On the cold path:
no imports. The output is for eyes; a text that already spells ``\\x1b`` looks the same as one that was escaped.
"""

from __future__ import annotations

# First and last code point of what is escaped. Joiners (U+200C, U+200D) and the emoji selectors (U+FE0E, U+FE0F) stay:
# Persian, Hindi and emoji are wrong without them, and no terminal obeys them.
_ESCAPED = (
    (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200B), (0x200E, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xD800, 0xF8FF), (0xFDD0, 0xFDEF), (0xFE00, 0xFE0D), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF), (0xF0000, 0x10FFFF),
)  # fmt: skip


class _Table(dict[int, str]):
    """A translation table that works out each character when it is first met, and keeps it for a call."""

    def __missing__(self, point: int) -> str:
        shown = chr(point)
        for first, last in _ESCAPED:
            if first <= point <= last:
                shown = _spelled(point)
                break
        if len(self) < 512:
            self[point] = shown
        return shown


def _spelled(point: int) -> str:
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def escape(text: str, *, newlines: bool = False, tabs: bool = False, github: bool = False) -> str:
    """Return ``text`` with every control, bidirectional, invisible, tag and private-use character spelled out.

    Args:
        text: anything, lone surrogates too.
        newlines: keep line feeds as they are; otherwise they show as ``\\n`` and the result is one line.
        tabs: keep tabs as they are; otherwise they show as ``\\t``.
        github: also take the power from workflow commands (``::error`` at the start of a line, ``##[`` anywhere).

    Returns:
        A text that can be encoded as UTF-8 and holds no character of those classes but those asked for.
    """
    if not (text.isascii() and text.isprintable()):
        table = _Table({0x0A: "\n" if newlines else "\\n", 0x0D: "\\r", 0x09: "\t" if tabs else "\\t"})
        text = text.translate(table)
    return _without_commands(text) if github else text


def _without_commands(text: str) -> str:
    """Spell out the first character of each workflow command (the runner trims a line before it looks)."""
    lines = text.replace("##[", "#\\x23[").split("\n")
    for n, line in enumerate(lines):
        bare = line.lstrip()
        if bare.startswith("::"):
            lines[n] = line[: len(line) - len(bare)] + "\\x3a" + bare[1:]
    return "\n".join(lines)
