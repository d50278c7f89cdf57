"""What the services need of whatever keeps earlier versions of a store, outside the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from upheld.model.change import Committed
from upheld.model.value import Value
from upheld.ports.store import ReadableStore


class Kept(Value):
    """One version that history holds.

    Attributes:
        id: what history calls it.
        version: the version of its index; None where the index has none or cannot be read.
        index_sha256: the digest of its index.
        at: when its index was issued, as it says itself; empty where it does not.
        what: what it did, for people: verbs and keys.
    """

    id: str
    version: int | None
    index_sha256: str
    at: str
    what: str


class WholeVersion(ReadableStore, Protocol):
    """One version of a store, whole, as history or a remote holds it."""

    def files(self) -> Mapping[str, str]:
        """Return every file by name, with an id that is equal for equal bytes."""


class History(Protocol):
    """Keeps every version of one store. What it returns is bytes: whoever uses them checks their digests."""

    def record(self, committed: Committed) -> None:
        """Keep what was just committed. Called by the commit, which stands whatever this does.

        Raises:
            StorageError: it could not be kept.
        """

    def versions(self) -> tuple[Kept, ...]:
        """Return what is kept, newest first; empty where nothing is.

        Raises:
            StorageError: history cannot be read.
        """

    def read(self, name: str, sha256: str) -> bytes | None:
        """Return the bytes that once stood under a name, at a digest; None where they were never kept.

        Raises:
            StorageError: history cannot be read.
        """

    def open(self, kept: Kept) -> WholeVersion:
        """Open one version for reading."""
