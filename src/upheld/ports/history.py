"""What is kept of a store outside it: every version that was committed, and the bytes that it named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from upheld.model.value import Value
from upheld.ports.store import ReadableStore

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from upheld.model.change import Committed

    Recover = Callable[[str, str], bytes | None]
    """Gives the bytes of a file by its name and digest, or None where they are lost."""


class Kept(Value):
    """One version as the history holds it.

    Attributes:
        version: the version of its index; None where the index has none.
        index_sha256: the digest of its index.
        at: when its index was issued, as it says itself; empty where it does not.
        id: what the history calls it. what: what it did, for people: verbs and keys.
    """

    version: int | None
    index_sha256: str
    at: str
    id: str = ""
    what: str = ""


class History(Protocol):
    """Read access to what was recorded. Bytes from here are verified by whoever asks for them, like any others.

    Every method raises ``StorageError`` where the history cannot be read.
    """

    location: str
    """Where this is, for people."""

    def versions(self) -> tuple[Kept, ...]:
        """Return every recorded version, newest first."""
        ...

    def read(self, name: str, sha256: str) -> bytes | None:
        """Return the bytes that ``name`` had when their digest was ``sha256``; None where they were never recorded."""
        ...

    def beside(self, index_sha256: str, folders: tuple[str, ...]) -> Mapping[str, bytes]:
        """Return the files of some folders as they were recorded with an index; none where it was not recorded."""
        ...


class WholeVersion(ReadableStore, Protocol):
    """One version of a store, whole, as a history or a remote holds it."""

    def files(self) -> Mapping[str, str]:
        """Return every file by name, with an id that is equal for equal bytes."""
        ...


class RecordingHistory(History, Protocol):
    """A history that is told of each commit, and gives whole versions back."""

    def record(self, committed: Committed) -> None:
        """Keep what was just committed. Called by the commit, which stands whatever this does.

        Raises:
            StorageError: it could not be kept.
        """
        ...

    def open(self, kept: Kept) -> WholeVersion:
        """Open one version for reading."""
        ...

    def can_purge(self) -> bool:
        """Whether files can be taken out of all that is kept; not where it is shared with a remote."""
        ...

    def purge(self, names: Collection[str]) -> None:
        """Take files out of every version that is kept, and their bytes off the disk.

        Raises:
            StorageError: it could not be done.
        """
        ...
