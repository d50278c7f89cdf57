"""The calls that no agent may make: a guard rail and not the gate.

It is string matching on what a client says of a tool call, so whoever means to can walk round it; what holds is that a
seal needs a person (SECURITY.md). It must not deny ordinary work either: a commit message that begins with "remember",
a search for the word, reading the documentation.
"""

from __future__ import annotations

import os

from upheld.hooks.interpreters import one_liner, python
from upheld.hooks.prefixes import CONTAINERS, OWN_VALUES, PREFIXES, RUNNERS
from upheld.hooks.protected import Protected, expanded, may_concern
from upheld.hooks.shell import Simple, simple_commands
from upheld.hooks.verbs import denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish", "pwsh", "powershell", "cmd", "ash"))
_SHELL_SCRIPT = frozenset(("-Command", "-command", "/c", "/C", "--command"))
_FIND_RUNS = ("-exec", "-execdir", "-ok", "-okdir")
_WRITERS = frozenset(
    (
        "rm",
        "rmdir",
        "unlink",
        "shred",
        "truncate",
        "touch",
        "mkdir",
        "chmod",
        "chown",
        "tee",
        "patch",
        "ed",
        "ex",
        "sponge",
    )
)
_LAST_IS_WRITTEN = frozenset(("cp", "mv", "ln", "install", "rsync"))
_MOST = 64


def why_denied(command: str, here: str, protected: Protected) -> str:
    """Return what a command line would do that no agent may do; empty where nothing of that can be seen."""
    return _line(command, here, protected, 0) if may_concern(command, protected) else ""


def _line(command: str, here: str, protected: Protected, depth: int) -> str:
    if depth > 4:
        return ""
    known: dict[str, str] = {}
    before = Simple(words=())
    for found in simple_commands(command)[:1000]:
        simple = _resolved(found, known, command)
        for target in simple.writes:
            if protected.holds(target, here):
                return f"`> {target[:_MOST]}` writes into a folder that only Upheld writes"
        why = _command(simple, before, here, protected, depth)
        if why:
            return why
        here = _moved(simple.words, here)
        before = simple
    return ""


def _resolved(simple: Simple, known: dict[str, str], command: str) -> Simple:
    """Put in the variables that this line itself sets, and take ``$(which upheld)`` for what it gives."""
    words = list(simple.words)
    declares = words[:1] in (["export"], ["declare"], ["local"], ["readonly"], ["alias"])
    for word in words[declares:]:
        name, equals, value = word.partition("=")
        if not equals or not name.replace("_", "").isalnum():
            break
        for spelled in (name,) if words[0] == "alias" else (f"${name}", f"${{{name}}}"):
            known[spelled] = value
    words = [known.get(word, word) if not number or word[:1] == "$" else word for number, word in enumerate(words)]
    if words and words[0] == "$()" and "upheld" in command:
        words[0] = "upheld"
    return simple.replace(words=tuple(" ".join(words[:1]).split() + words[1:] if " " in " ".join(words[:1]) else words))


def _moved(words: tuple[str, ...], here: str) -> str:
    if len(words) > 1 and words[0] in ("cd", "pushd"):
        return os.path.normpath(os.path.join(here, expanded(words[-1])))
    return here


def _command(simple: Simple, before: Simple, here: str, protected: Protected, depth: int) -> str:
    words = _bare(simple.words)
    if not words:
        return ""
    name, rest = _program(words[0]), words[1:]
    if name == "upheld":
        return denied(rest)
    if name in _SHELLS or (name in ("source", ".") and simple.document):
        return _script(rest, simple, before, here, protected, depth)
    if name.startswith(("python", "pypy")) or name == "py":
        return python(rest, simple.document or _fed(before, rest))
    if name in RUNNERS or (name in CONTAINERS and "exec" in rest[:1]):
        return _run(rest, here, protected, depth)
    if "eval" in simple.words[: -len(words)] or (simple.words[0] == "env" and "-S" in simple.words):
        return _line(" ".join(words), here, protected, depth + 1)
    if name == "find":
        return _found(rest, here, protected, depth)
    return one_liner(name, rest) or _written(name, rest, here, protected)


def _program(word: str) -> str:
    return os.path.basename(word.replace("\\", "/")).removesuffix(".exe").lower()


def _run(rest: tuple[str, ...], here: str, protected: Protected, depth: int) -> str:
    """What stands among the words of a program that runs another one: as words, or as a script in one word."""
    for number, word in enumerate(rest):
        name = _program(word)
        why = ""
        if " " in word.strip():
            why = _line(word, here, protected, depth + 1)
        elif name == "upheld" or name in _SHELLS or name.startswith("python"):
            why = _command(Simple(words=rest[number:]), Simple(words=()), here, protected, depth + 1)
        if why:
            return why
    return ""


def _found(rest: tuple[str, ...], here: str, protected: Protected, depth: int) -> str:
    """What ``find`` deletes, or runs on each file; that it only reads them is no harm."""
    inside = next((word for word in rest if not word.startswith("-") and protected.holds(word, here)), "")
    if inside and "-delete" in rest:
        return f"`find` would change {inside[:_MOST]}, which only Upheld writes"
    for number, word in enumerate(rest):
        if word in _FIND_RUNS:
            run = tuple(inside if item == "{}" and inside else item for item in rest[number + 1 :])
            end = next((at for at, item in enumerate(run) if item in (";", "+")), len(run))
            why = _command(Simple(words=run[:end]), Simple(words=()), here, protected, depth + 1)
            if why:
                return why
    return ""


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take off assignments, and the programs that only run another one."""
    at = 0
    while at < len(words):
        word = words[at]
        name = os.path.basename(word)
        if "=" in word and word.partition("=")[0].replace("_", "").isalnum():
            at += 1
        elif name in PREFIXES and at + 1 < len(words):
            at = _behind(words, at + 1, PREFIXES[name])
        else:
            break
    return words[at:]


def _behind(words: tuple[str, ...], at: int, own: int) -> int:
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in OWN_VALUES else 1
    return at + own


def _script(rest: tuple[str, ...], simple: Simple, before: Simple, here: str, protected: Protected, depth: int) -> str:
    """What a shell is given to run: as an argument, in a here-document, or echoed into it."""
    for number, word in enumerate(rest):
        if word in _SHELL_SCRIPT or _is_cluster(word, "c"):
            script = next((item for item in rest[number + 1 :] if not item.startswith(("-", "+"))), "")
            return _line(script, here, protected, depth + 1)
    script = simple.document or _fed(before, rest)
    return _line(script, here, protected, depth + 1) if script else ""


def _is_cluster(word: str, letter: str) -> bool:
    """Whether a word is short options in one, such as ``-euc``, with this one among them."""
    return word[:1] == "-" and word[1:].isalpha() and len(word) < 8 and letter in word[1:]


def _fed(before: Simple, rest: tuple[str, ...]) -> str:
    """What the command before gives to a program that reads its script from its standard input."""
    if before.writes or any(not word.startswith("-") for word in rest):
        return ""
    if before.words[:1] == ("cat",):
        return before.document
    return " ".join(before.words[1:]) if before.words[:1] in (("echo",), ("printf",)) else ""


def _written(name: str, rest: tuple[str, ...], here: str, protected: Protected) -> str:
    files = [word for word in rest if not word.startswith("-")]
    if name in _LAST_IS_WRITTEN:
        targets: Iterable[str] = files if name == "mv" else [*files[-1:], *_target_folder(rest)]
    elif name in _WRITERS:
        targets = files
    elif name == "dd":
        targets = [word[3:] for word in rest if word.startswith("of=")]
    elif name in ("sed", "perl", "awk", "gawk") and ("inplace" in rest or any(map(_edits, rest))):
        targets = files
    elif name in ("tar", "unzip"):
        targets = [rest[number + 1] for number, word in enumerate(rest[:-1]) if word in ("-C", "-d", "--directory")]
    else:
        return ""
    above = name in ("rm", "mv")
    for target in targets:
        if protected.is_above(target, here) if above else protected.holds(target, here):
            return f"`{name}` would change {target[:_MOST]}, which only Upheld writes"
    return ""


def _edits(word: str) -> bool:
    """Short options that edit in place, before the first letter that takes what follows as its value."""
    if word.startswith(("-i", "--in-place")):
        return True
    letters = word[1:].partition("e")[0] if word[:1] == "-" else ""
    return letters.isalpha() and "i" in letters and len(letters) < 5


def _target_folder(rest: tuple[str, ...]) -> list[str]:
    """The folder that ``cp -t`` and its like name before their files."""
    found = [word.partition("=")[2] for word in rest if word.startswith("--target-directory=")]
    return found + [rest[number + 1] for number, word in enumerate(rest[:-1]) if word == "-t"]
