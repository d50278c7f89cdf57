"""Remember what was served at a place, so that it is not proposed again as news (the screen's POL018)."""

from __future__ import annotations

import os

from upheld.compose.state import state_root
from upheld.policy.shingles import fingerprints
from upheld.stores.state_directory import StateReader
from upheld.stores.text_memory import TextMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def remember_served(path: str, texts: Iterable[str]) -> None:
    """Keep fingerprints of texts that were served from the store in ``path``; never the texts.

    Raises:
        StorageError: they cannot be written.
        FaultError: what is kept already cannot be trusted.
    """
    root = state_root(os.environ)
    found = {piece for text in texts for piece in fingerprints(text)}
    TextMemory(root, StateReader(root, path).place).served(found)
