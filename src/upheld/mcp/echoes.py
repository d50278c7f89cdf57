"""Remember what this process served, once a text, so that it is not proposed again as news (ATTACKS E7, POL018)."""

from __future__ import annotations

from contextlib import suppress

from upheld.errors import FaultError, StorageError
from upheld.model.answer import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from upheld.model.answer import Refusal

_remembered: set[tuple[str, str]] = set()
"""Folder of the store and digest of the text. It decides only what is written down twice, never what is served."""


def remember(path: str, outcomes: Iterable[Answer | Refusal]) -> None:
    """Keep fingerprints of the texts that were served from the store in ``path``. No answer fails because of it."""
    fresh = {
        one.source_sha256: one.text
        for one in outcomes
        if isinstance(one, Answer) and (path, one.source_sha256) not in _remembered
    }
    if not fresh:
        return
    from upheld.compose.served_texts import remember_served

    with suppress(FaultError, StorageError):
        remember_served(path, fresh.values())
        _remembered.update((path, digest) for digest in fresh)
