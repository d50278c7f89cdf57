"""Patterns over shell commands, anchored at the first word.

A pattern is a row of words: ``git push`` matches every command that *begins* with these words. Inside a word ``*``
stands for any run of characters; a word ``**`` stands for any number of words (``git push ** --force``); a last word
``$`` ends the command there (``make $``). Regular expressions are not taken: one that backtracks without bound, or that
forgets its anchor, would be sealed into a store and run before every command of everybody.

A command line is cut at ``;``, ``&``, ``|`` and line ends outside quotes, and every piece is tried. Leading
``NAME=value`` words and wrappers (``sudo``, ``env``, ``time`` ...) are passed over, and programs go by their name
without its folder. It is a reading of what the line
says, not a shell: what a script or an alias runs is not seen.
"""

from __future__ import annotations

from upheld.routing.globs import match_part

LONGEST_PATTERN = 256
LONGEST_COMMAND = 16_384
_WRAPPERS = frozenset(("sudo", "env", "time", "nohup", "command", "exec", "nice", "builtin"))
_SEPARATORS = ";&|\n()"


def fault(pattern: str) -> str:
    """Say what is wrong with a command pattern, or nothing."""
    if not pattern.split():
        return "it is empty"
    if len(pattern) > LONGEST_PATTERN:
        return f"it is longer than {LONGEST_PATTERN} characters"
    if any(char in pattern for char in "[]\\'\"" + _SEPARATORS) or not pattern.isprintable():
        return "a command pattern is plain words with `*`; it takes no quotes, classes, separators or escapes"
    if "$" in pattern.split()[:-1] or pattern.split() == ["$"]:
        return "`$` may only be the last word, after another"
    return ""


def is_blanket(pattern: str) -> bool:
    """Whether the first word of a pattern names no program at all."""
    first = _wanted(pattern)[:1]
    return not first or not first[0].strip("*?")


def matches(pattern: str, command: str) -> bool:
    """Whether any piece of a command line begins with a pattern. A malformed or blanket one never does."""
    if fault(pattern) or is_blanket(pattern):
        return False
    return any(begins_with(pattern, piece) for piece in pieces(command))


def begins_with(pattern: str, piece: list[str]) -> bool:
    """Whether the words of one simple command begin with a sound pattern."""
    wanted = _wanted(pattern)
    ends = wanted[-1] == "$"
    if ends:
        wanted.pop()
    reached = _skip_any(wanted, {0})
    for word in piece:
        if len(wanted) in reached and not ends:
            return True
        reached = _skip_any(wanted, _step(wanted, reached, word))
    return len(wanted) in reached


def _wanted(pattern: str) -> list[str]:
    """The words of a pattern. A program goes by its name, here as in a command: ``./bin/refund`` is ``refund``."""
    words = pattern.split()
    return [program_of(words[0]), *words[1:]] if words else []


def program_of(word: str) -> str:
    """The name that a program goes by: its own, without its folder."""
    return word.replace("\\", "/").rsplit("/", 1)[-1] or word


def _step(wanted: list[str], reached: set[int], word: str) -> set[int]:
    moved: set[int] = set()
    for place in reached:
        if place == len(wanted):
            continue
        if wanted[place] == "**":
            moved.add(place)
        elif match_part(wanted[place], word):
            moved.add(place + 1)
    return moved


def _skip_any(wanted: list[str], places: set[int]) -> set[int]:
    grown = set(places)
    for place in places:
        while place < len(wanted) and wanted[place] == "**":
            place += 1  # noqa: PLW2901 - a walk from each place
            grown.add(place)
    return grown


def pieces(command: str) -> list[list[str]]:
    """Cut a command line into simple commands, each a list of words without quotes, assignments and wrappers."""
    found = [_unwrapped(piece) for piece in _split(command[:LONGEST_COMMAND])]
    return [piece for piece in found if piece]


def _unwrapped(piece: list[str]) -> list[str]:
    at = 0
    while at < len(piece) and (piece[at] in _WRAPPERS or _is_assignment(piece[at])):
        at += 1
    if at == len(piece):
        return []
    return [program_of(piece[at]), *piece[at + 1 :]]


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def _split(command: str) -> list[list[str]]:
    """Words by blanks, pieces by separators, both outside quotes; an unclosed quote runs to the end."""
    cut: list[list[str]] = [[]]
    word: list[str] | None = None
    quote = ""
    escaped = False
    for char in command:
        if escaped or (quote and char != quote and not (char == "\\" and quote == '"')):
            word = [char] if word is None else _push(word, char)
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == quote:
            quote = ""
        elif char in "'\"":
            quote = char
            word = [] if word is None else word
        elif char in _SEPARATORS or char.isspace():
            if word is not None:
                cut[-1].append("".join(word))
                word = None
            if char in _SEPARATORS:
                cut.append([])
        else:
            word = [char] if word is None else _push(word, char)
    if word is not None:
        cut[-1].append("".join(word))
    return cut


def _push(word: list[str], char: str) -> list[str]:
    word.append(char)
    return word
