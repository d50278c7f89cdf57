"""Names that some file system takes for one: equal but for case or Unicode form (ATTACKS D4)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def folded(name: str) -> str:
    """Return what a file system that ignores case and Unicode form makes of a name."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def collisions(names: Iterable[str], others: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return each of ``names`` that collides with another of them, or with one of ``others``, and with which."""
    seen: dict[str, str] = {}
    for other in others:
        seen.setdefault(folded(other), other)
    found = []
    for name in names:
        other = seen.setdefault(folded(name), name)
        if other != name:
            found.append((name, other))
    return found
