"""A sentence encoder: the door through which the ``[semantic]`` extra comes in. The core layer needs none."""

from __future__ import annotations

from typing import Protocol


class Encoder(Protocol):
    """Turns texts into vectors. An implementation checks its own model files against a pinned digest before use."""

    @property
    def identity(self) -> str:
        """What the vectors depend on: the digest of the model files; vectors of different identities never meet."""

    @property
    def size(self) -> int:
        """Numbers in a vector."""

    def encode(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Encode texts into unit vectors, one each, in order."""
