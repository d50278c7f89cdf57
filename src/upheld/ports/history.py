"""What is kept of a store outside it: every version that was committed, and the bytes that it named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from upheld.model.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    Recover = Callable[[str, str], bytes | None]
    """Gives the bytes of a file by its name and digest, or None where they are lost."""


class Kept(Value):
    """One version as the history holds it: its number, the digest of its index, and when it was recorded."""

    version: int
    index_sha256: str
    at: str


class History(Protocol):
    """Read access to what was recorded. Bytes from here are verified by whoever asks for them, like any others."""

    location: str
    """Where this is, for people."""

    def versions(self) -> tuple[Kept, ...]:
        """Return every recorded version, newest first."""
        ...

    def read(self, name: str, sha256: str) -> bytes | None:
        """Return the bytes that ``name`` had when their digest was ``sha256``; None where they were never recorded."""
        ...
