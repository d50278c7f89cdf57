r"""Gitignore-style globs over paths with forward slashes.

The form is that of ``gitignore(5)``, less negation: ``*`` and ``?`` stay inside one part, ``**`` as a whole part
spans any number of parts, ``[a-z]`` and ``[!a-z]`` are classes, ``\\`` takes the next character as it is. A pattern
with a slash at its start or in its middle is anchored at the root of the repository; one without is looked for at
any depth. A pattern that names a folder governs all that is in it; one that ends in a slash, only what is in it.

Matching takes time in proportion to pattern times path: there is no backtracking to blow up.
"""

from __future__ import annotations

LONGEST_GLOB = 512
LONGEST_PATH = 4_096


def fault(pattern: str) -> str:
    """Say what is wrong with a glob, or nothing.

    Returns:
        A sentence for a malformed glob; the empty string for a sound one. Whether it is *too broad* is
        ``is_blanket``.
    """
    if not pattern or pattern.isspace():
        return "it is empty"
    if pattern != pattern.strip():
        return "it begins or ends with a blank"
    if len(pattern) > LONGEST_GLOB:
        return f"it is longer than {LONGEST_GLOB} characters"
    if any(ord(char) < 32 or ord(char) == 127 for char in pattern):
        return "it holds a control character"
    if pattern[0] in "!#":
        return f"it begins with `{pattern[0]}`; use `not_when` for exceptions"
    return _fault_of_parts(pattern)


def _fault_of_parts(pattern: str) -> str:
    parts = _parts(pattern)
    if not any(parts):
        return "it has no part"
    if any(part == "" for part in parts):
        return "it has an empty part"
    if any(part in (".", "..") for part in parts):
        return "it has a part `.` or `..`; paths are relative to the repository and already resolved"
    for part in parts:
        if _atoms(part) is None:
            return "it has a `[` without its `]`, an empty or reversed class, or ends in `\\`"
        if "**" in part and part != "**":
            return "`**` must be a whole part between slashes"
    return ""


def is_blanket(pattern: str) -> bool:
    """Whether a sound glob matches everything, or all that has a dot: ``*``, ``**/*``, ``*.*``."""
    return all(not part.strip("*?") for part in _parts(pattern)) or pattern in ("*.*", "**/*.*")


def matches(pattern: str, path: str) -> bool:
    """Whether a glob governs a path. A malformed glob, or one that matches everything, never does."""
    if fault(pattern) or is_blanket(pattern):
        return False
    return matches_sound(pattern, path)


def matches_sound(pattern: str, path: str) -> bool:
    """``matches`` for a glob already known to be sound and no blanket."""
    parts = _parts(pattern)
    if "/" not in pattern.rstrip("/"):
        parts = ["**", *parts]
    if parts[-1] == "**":
        parts = [*parts, "*"]
    elif pattern.endswith("/"):
        parts = [*parts, "**", "*"]
    return _match_parts(parts, split_path(path))


def split_path(path: str) -> list[str]:
    """The parts of a path at hand, resolved as text; empty when it is empty, too long or leads outside."""
    if len(path) > LONGEST_PATH:
        return []
    names: list[str] = []
    for name in path.replace("\\", "/").split("/"):
        if name == "..":
            if not names:
                return []
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return names


def gate(pattern: str) -> str:
    """What every path under a sound glob has: a whole part (``docs``), or the suffix of a part (``.sql``), or nothing.

    The index files a glob under its gate, so that a thousand globs need not all be tried.
    """
    parts = _parts(pattern)
    for part in parts:
        if not any(char in "*?[\\" for char in part):
            return part
    for part in parts:
        suffix = part[part.rfind(".") :] if "." in part else ""
        if suffix and not any(char in "*?[]\\" for char in suffix):
            return suffix
    return ""


def gates(path: str) -> set[str]:
    """Every gate that a path opens."""
    names = split_path(path)
    return {*names, *(name[name.rfind(".") :] for name in names if "." in name)}


def _parts(pattern: str) -> list[str]:
    return pattern.removeprefix("/").removesuffix("/").split("/")


def _match_parts(parts: list[str], names: list[str]) -> bool:
    """Follow every way through the pattern at once: ``reached`` holds the positions in it before each name."""
    reached = _skip_any(parts, {0})
    for name in names:
        moved: set[int] = set()
        for place in reached:
            if parts[place] == "**":
                moved.add(place)
            elif match_part(parts[place], name):
                moved.add(place + 1)
        if len(parts) in moved:
            return True
        reached = _skip_any(parts, moved)
    return False


def _skip_any(parts: list[str], places: set[int]) -> set[int]:
    """A ``**`` may stand for no part at all."""
    grown = set(places)
    for place in places:
        while parts[place] == "**":
            place += 1  # noqa: PLW2901 - a walk from each place
            grown.add(place)
    return grown


def match_part(part: str, name: str) -> bool:
    """Match one part by the two-finger method: on a mismatch only the last ``*`` takes one character more."""
    atoms = _atoms(part)
    if atoms is None:
        return False
    at = place = 0
    star = resume = -1
    while at < len(name):
        if place < len(atoms) and atoms[place] == "*":
            star, resume = place, at
            place += 1
        elif place < len(atoms) and _fits(atoms[place], name[at]):
            place += 1
            at += 1
        elif star >= 0:
            resume += 1
            place, at = star + 1, resume
        else:
            return False
    return all(atom == "*" for atom in atoms[place:])


def _fits(atom: str, char: str) -> bool:
    if len(atom) == 2:  # "\\" and the character that it makes literal
        return atom[1] == char
    if atom == "?":
        return True
    return _in_class(atom, char) if len(atom) > 2 else atom == char


def _in_class(atom: str, char: str) -> bool:
    body = atom[1:-1]
    negated = body[0] in "!^"
    at, found = int(negated), False
    while at < len(body):
        if at + 2 < len(body) and body[at + 1] == "-":
            found = found or body[at] <= char <= body[at + 2]
            at += 3
        else:
            found = found or body[at] == char
            at += 1
    return found != negated


def _atoms(part: str) -> list[str] | None:
    r"""Split a part into ``*``, ``?``, ``[...]``, ``\\x`` and single characters; ``None`` when it is malformed."""
    atoms: list[str] = []
    at = 0
    while at < len(part):
        if part[at] == "\\":
            if at + 1 == len(part):
                return None
            atoms.append(part[at : at + 2])
            at += 2
        elif part[at] == "[":
            end = part.find("]", at + (3 if part[at + 1 : at + 2] in ("!", "^") else 2))
            if end < 0 or _reversed_class(part[at + 1 : end]):
                return None
            atoms.append(part[at : end + 1])
            at = end + 1
        else:
            if not (part[at] == "*" and atoms and atoms[-1] == "*"):
                atoms.append(part[at])
            at += 1
    return atoms


def _reversed_class(body: str) -> bool:
    at = int(body[:1] in ("!", "^"))
    if at >= len(body):
        return True
    while at + 2 < len(body):
        if body[at + 1] == "-":
            if body[at] > body[at + 2]:
                return True
            at += 3
        else:
            at += 1
    return False
