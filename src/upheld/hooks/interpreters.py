"""What Python, and other languages with programs of one line, are told to run that no agent may do.

Code is never parsed: a verb of ours, and something that starts a program or opens a store, are looked for in it.
"""

from __future__ import annotations

import os

from upheld.hooks.verbs import SEALING, VERBS, denied

_STARTERS = ("system(", "subprocess", "popen", "spawn", "exec", "runpy")
_LANGUAGES = frozenset(("node", "perl", "ruby", "php", "deno", "bun"))
_READING = frozenset(("review", "sync", "doctor", "inbox", "trust", "init"))


def python(rest: tuple[str, ...], document: str = "") -> str:
    """Return what the arguments of Python, or the script on its standard input, would do; empty for nothing.

    Args:
        rest: the words behind the interpreter's name.
        document: what a here-document or a pipe feeds it.
    """
    skips = False
    for number, word in enumerate(rest):
        if skips:
            skips = False
            continue
        skips = word in ("-X", "-W")
        if _ends_in(word, "m") and rest[number + 1 : number + 2]:
            return denied(rest[number + 2 :]) if _is_ours(rest[number + 1]) else ""
        if word.startswith("-m") and _is_ours(word[2:]):
            return denied(rest[number + 1 :])
        if _ends_in(word, "c"):
            code = rest[number + 1] if number + 1 < len(rest) else ""
            return _code(code) or (denied(rest[number + 2 :]) if "upheld" in code and "main(" in code else "")
        if not word.startswith("-"):
            return denied(rest[number + 1 :]) if os.path.basename(word) in ("upheld", "upheld.py") else ""
    return _read(document)


def one_liner(name: str, rest: tuple[str, ...]) -> str:
    """Return what a program of one line in another language would start; empty for nothing."""
    if name not in _LANGUAGES:
        return ""
    given = (rest[number + 1] for number, word in enumerate(rest[:-1]) if word in ("-e", "-E", "-r", "--eval"))
    return next((why for why in map(_started, given) if why), "")


def _ends_in(word: str, letter: str) -> bool:
    return word[:1] == "-" and word[1:].isalpha() and word.endswith(letter)


def _is_ours(module: str) -> bool:
    return module == "upheld" or module.startswith("upheld.")


def _read(document: str) -> str:
    """A script on standard input; a text in it that only speaks of us is let be."""
    lines = [line.strip() for line in document.replace(";", "\n").split("\n")]
    if any(line.startswith(("import upheld", "from upheld")) for line in lines):
        return _code(document)
    if any(line.startswith(("import", "from")) for line in lines):
        return _started(document)
    return ""


def _code(code: str) -> str:
    """Python that uses the library: the verbs have the same names there."""
    if "upheld" not in code:
        return ""
    called = sorted(verb for verb in VERBS - _READING if f".{verb}(" in code)
    for spelled in (".review(", ".init(", ".decide(", ".gc("):
        if spelled in code and ("upheld.open" in code or "Memory" in code):
            called.append(spelled[1:-1])
    said = sorted({f'"{verb}"' for verb in VERBS if f'"{verb}"' in code or f"'{verb}'" in code})
    if called or ("main(" in code and said):
        return f"`{(called or said)[0]}` of the library changes what is remembered"
    return _started(code)


def _started(code: str) -> str:
    """Code that starts ``upheld`` as a program, with a verb that seals."""
    plain = code.lower().replace("'", '"')
    if "upheld" not in plain or not any(starter in plain for starter in _STARTERS):
        return ""
    for verb in sorted(SEALING):
        if f'"upheld {verb}' in plain or ('"upheld"' in plain and f'"{verb}"' in plain):
            return f"`upheld {verb}` changes what is remembered"
    return ""
