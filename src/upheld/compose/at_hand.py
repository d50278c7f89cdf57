"""Which files are at hand: how the store's triggers name them, and which of them a prompt names."""

from __future__ import annotations

import os

from upheld.errors import UsageError

_MOST = 20
_LONGEST = 300
_AROUND = "\"'`()[]{}<>,;:!?*"


def relative(path: str, here: str, top: str) -> str:
    """Name a file as the store's triggers do: from the repository's top, with forward slashes."""
    whole = os.path.normpath(os.path.join(here, os.path.expanduser(path)))
    real = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
    inside = os.path.realpath(top) + os.sep
    for candidate in (whole, real):
        for start in (top + os.sep, inside):
            if candidate.startswith(start):
                return candidate[len(start) :].replace(os.sep, "/")
    return whole.replace(os.sep, "/").lstrip("/")


def from_top(path: str, top: str) -> str:
    """Name a path that a caller gave as the store's triggers do; one outside the repository fires no path.

    Raises:
        UsageError: it leads out of a folder, and nobody says which: a *none* for it would be a guess.
    """
    if os.path.isabs(path):
        return relative(path, top, top)
    if os.pardir in path.replace("\\", "/").split("/"):
        raise UsageError(
            f"{path} is not a path within the repository",
            help="name it from the repository's top, as triggers do (site/index.md), or from the root of the disk",
        )
    return path


def mentioned(prompt: str, here: str, top: str) -> tuple[str, ...]:
    """Return the files of the repository that a prompt names, in its order.

    A word counts if it looks like a path (it has a slash or a dot inside) and the file is there: what is asked about a
    file is governed by what governs the file. Nothing outside the repository is looked at, and twenty words at most.
    """
    found: dict[str, None] = {}
    for word in _path_like(prompt):
        for start in (here, top):
            path = os.path.normpath(os.path.join(start, word))
            if path.startswith(top + os.sep) and os.path.lexists(path):
                found[relative(path, here, top)] = None
                break
    return tuple(found)


def _path_like(prompt: str) -> list[str]:
    words: dict[str, None] = {}
    for word in prompt.split():
        bare = word.strip(_AROUND).rstrip(".").removeprefix("@")
        if len(bare) <= _LONGEST and ("/" in bare or "." in bare[1:-1]) and "\0" not in bare and "://" not in bare:
            words[bare.partition(":")[0] if ":" in bare else bare] = None
            if len(words) == _MOST:
                break
    return [word for word in words if word]
