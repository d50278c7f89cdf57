"""Make any text safe to show: nothing in it can act on a terminal or a build log, hide, or forge a line of ours.

Stands on the cold path: no ``re``, no ``unicodedata``.
"""

from __future__ import annotations


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
    if text.isprintable():
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


def _written(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
