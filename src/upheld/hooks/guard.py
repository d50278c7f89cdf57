"""The calls that no agent may make: a guard rail and not the gate.

It is string matching on what a client says of a tool call, so whoever means to can walk round it; what holds is that a
seal needs a person (SECURITY.md). It must not deny ordinary work either: a commit message that begins with "remember",
a search for the word, reading the documentation.
"""

from __future__ import annotations

import os

from upheld.hooks.protected import Protected, expanded, may_concern
from upheld.hooks.shell import Simple, simple_commands
from upheld.hooks.verbs import VERBS, denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PREFIXES = {
    **dict.fromkeys(
        [
            "env",
            "command",
            "exec",
            "builtin",
            "eval",
            "nohup",
            "time",
            "nice",
            "ionice",
            "stdbuf",
            "setsid",
            "sudo",
            "doas",
            "xargs",
        ],
        0,
    ),
    **dict.fromkeys(["caffeinate", "chronic", "unbuffer", "watch", "script", "parallel", "busybox"], 0),
    **dict.fromkeys(["uv", "uvx", "pipx", "poetry", "hatch", "pdm", "rye", "run"], 0),
    **dict.fromkeys(["if", "then", "else", "do", "while", "until", "!", "{"], 0),
    **dict.fromkeys(["timeout", "faketime"], 1),
}
"""Programs that run another one, and how many words of their own come first."""
_OWN_VALUES = frozenset(
    ("-u", "-n", "-g", "-C", "-I", "-P", "-L", "-s", "-k", "--user", "--signal", "--with", "--from", "-S")
)
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish", "pwsh", "powershell", "cmd", "ash"))
_SHELL_SCRIPT = frozenset(
    ("-c", "-lc", "-ic", "-lic", "-ilc", "-ec", "-xc", "-Command", "-command", "/c", "/C", "--command")
)
_WRITERS = frozenset(
    ("rm", "rmdir", "unlink", "shred", "truncate", "touch", "mkdir", "chmod", "chown", "tee", "patch", "ed", "ex")
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
    before: tuple[str, ...] = ()
    for found in simple_commands(command)[:1000]:
        simple = _resolved(found, known, command)
        for target in simple.writes:
            if protected.holds(target, here):
                return f"`> {target[:_MOST]}` writes into a folder that only Upheld writes"
        why = _command(simple, before, here, protected, depth)
        if why:
            return why
        here = _moved(simple.words, here)
        before = simple.words
    return ""


def _resolved(simple: Simple, known: dict[str, str], command: str) -> Simple:
    """Put in the variables that this line itself sets, and take ``$(which upheld)`` for what it gives."""
    words = list(simple.words)
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.replace("_", "").isalnum():
            break
        known[f"${name}"] = known[f"${{{name}}}"] = value
    words = [known.get(word, word) for word in words]
    if words and words[0] == "$()" and "upheld" in command:
        words[0] = "upheld"
    return simple.replace(words=tuple(" ".join(words[:1]).split() + words[1:] if " " in " ".join(words[:1]) else words))


def _moved(words: tuple[str, ...], here: str) -> str:
    if len(words) > 1 and words[0] in ("cd", "pushd"):
        return os.path.normpath(os.path.join(here, expanded(words[-1])))
    return here


def _command(simple: Simple, before: tuple[str, ...], here: str, protected: Protected, depth: int) -> str:
    words = _bare(simple.words)
    if not words:
        return ""
    name = os.path.basename(words[0].replace("\\", "/")).removesuffix(".exe").lower()
    rest = words[1:]
    if name == "upheld":
        return denied(rest)
    if name in _SHELLS:
        return _script(rest, simple, before, here, protected, depth)
    if name.startswith(("python", "pypy")) or name == "py":
        return _python(rest)
    if simple.words[0] == "eval" or (simple.words[0] == "env" and "-S" in simple.words):
        return _line(" ".join(words), here, protected, depth + 1)
    return _written(name, rest, here, protected)


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take off assignments, and the programs that only run another one."""
    at = 0
    while at < len(words):
        word = words[at]
        name = os.path.basename(word)
        if "=" in word and word.partition("=")[0].replace("_", "").isalnum():
            at += 1
        elif name in _PREFIXES and at + 1 < len(words):
            at = _behind(words, at + 1, _PREFIXES[name])
        else:
            break
    return words[at:]


def _behind(words: tuple[str, ...], at: int, own: int) -> int:
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _OWN_VALUES else 1
    return at + own


def _script(
    rest: tuple[str, ...], simple: Simple, before: tuple[str, ...], here: str, protected: Protected, depth: int
) -> str:
    """What a shell is given to run: as an argument, in a here-document, or echoed into it."""
    for number, word in enumerate(rest):
        if word in _SHELL_SCRIPT:
            return _line(" ".join(rest[number + 1 : number + 2]), here, protected, depth + 1)
    if simple.document:
        return _line(simple.document, here, protected, depth + 1)
    if before[:1] in (("echo",), ("printf",)) and not any(not word.startswith("-") for word in rest):
        return _line(" ".join(before[1:]), here, protected, depth + 1)
    return ""


def _python(rest: tuple[str, ...]) -> str:
    skips = False
    for number, word in enumerate(rest):
        if skips:
            skips = False
            continue
        skips = word in ("-X", "-W")
        if word in ("-m", "-Im", "-Sm", "-ISm", "-Em", "-sm") and rest[number + 1 : number + 2] == ("upheld",):
            return denied(rest[number + 2 :])
        if word == "-mupheld":
            return denied(rest[number + 1 :])
        if word.startswith("-") and word.endswith("c") and not word.startswith("--"):
            code = rest[number + 1] if number + 1 < len(rest) else ""
            return _code(code) or (denied(rest[number + 2 :]) if "upheld" in code and "main(" in code else "")
        if not word.startswith("-"):
            return denied(rest[number + 1 :]) if os.path.basename(word) in ("upheld", "upheld.py") else ""
    return ""


def _code(code: str) -> str:
    """Python on the command line that uses the library: the verbs have the same names there."""
    if "upheld" not in code:
        return ""
    called = sorted(
        verb for verb in VERBS - {"review", "sync", "doctor", "inbox", "trust", "init"} if f".{verb}(" in code
    )
    for spelled in (".review(", ".init(", ".decide(", ".gc("):
        if spelled in code and ("upheld.open" in code or "Memory" in code):
            called.append(spelled[1:-1])
    said = sorted({f'"{verb}"' for verb in VERBS if f'"{verb}"' in code or f"'{verb}'" in code})
    if called or ("main(" in code and said):
        return f"`{(called or said)[0]}` of the library changes what is remembered"
    return ""


def _written(name: str, rest: tuple[str, ...], here: str, protected: Protected) -> str:
    files = [word for word in rest if not word.startswith("-")]
    if name in _LAST_IS_WRITTEN:
        targets: Iterable[str] = files if name == "mv" else files[-1:]
    elif name in _WRITERS:
        targets = files
    elif name == "dd":
        targets = [word[3:] for word in rest if word.startswith("of=")]
    elif name in ("sed", "perl") and any(word.startswith(("-i", "--in-place", "-pi", "-ni")) for word in rest):
        targets = files
    elif name == "find" and ("-delete" in rest or "-exec" in rest):
        targets = files[:1]
    elif name in ("tar", "unzip"):
        targets = [rest[number + 1] for number, word in enumerate(rest[:-1]) if word in ("-C", "-d", "--directory")]
    else:
        return ""
    above = name in ("rm", "mv")
    for target in targets:
        if protected.is_above(target, here) if above else protected.holds(target, here):
            return f"`{name}` would change {target[:_MOST]}, which only Upheld writes"
    return ""
