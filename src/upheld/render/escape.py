"""Make any text safe to show: nothing in it can act on a terminal, hide, or forge a line of ours.

Stands on the cold path: no ``re``, no ``unicodedata``.
"""

from __future__ import annotations


def escape(text: str, *, lines: bool = False) -> str:
    """Return ``text`` with every character that does not print as itself written out (``\\x1b``, ``\\u202e``).

    Args:
        text: anything.
        lines: keep line feeds and tabs (and take a CR LF pair for a line feed); otherwise they are written out too.
    """
    if text.isprintable():
        return text
    if not lines:
        return "".join(_written(character) for character in text)
    return "\n".join(
        "\t".join("".join(map(_written, part)) for part in line.removesuffix("\r").split("\t"))
        for line in text.split("\n")
    )


def _written(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
