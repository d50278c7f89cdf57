"""What ``sync`` needs of the place where a store is shared, and of what this client remembers of it."""

from __future__ import annotations

from typing import Protocol

from upheld.model.trusted import Head
from upheld.ports.history import WholeVersion
from upheld.ports.store import ReadableStore, WritableStore


class WorkingVersion(WholeVersion, WritableStore, Protocol):
    """A version that is being made: everything that is put and swapped into it becomes one new version on top."""


class SharedBranch(Protocol):
    """The branch of a remote that holds the published store, and a repository of ours to work in."""

    location: str
    """Where it is, for people."""

    def fetch(self) -> WholeVersion | None:
        """Bring the newest published version here; None where nothing was ever published.

        Raises:
            StorageError: the remote cannot be reached or read.
        """

    def over(self, version: WholeVersion) -> WorkingVersion:
        """Begin a new version on top of a fetched one."""

    def adopt(self, version: WholeVersion, over: WholeVersion | None) -> WholeVersion:
        """Put a version of ours, byte for byte, on top of a fetched one (None: as the first)."""

    def push(self, version: WholeVersion, over: WholeVersion | None) -> None:
        """Publish a version, if the remote still holds the one that it stands on (None: none): the commit of a sync.

        Raises:
            ConflictError: the remote has moved on.
            StorageError: the remote cannot be reached, or refused for another reason.
        """


class Archive(Protocol):
    """Finds whole versions that were recorded or fetched here."""

    def record_folder(self) -> str | None:
        """Record the store's folder as it is now."""

    def newest(self) -> str | None:
        """Return the digest of the index that was recorded last; None where nothing was."""

    def find(self, index_sha256: str) -> WholeVersion | None:
        """Open a version by the digest of its index."""

    def find_logged(self, version: int, log_head: str) -> WholeVersion | None:
        """Open the version whose log ends in this event; None where it is not kept."""


class Heads(Protocol):
    """What is remembered of one place: the published version and our own. Bound to the trusted state."""

    def published(self) -> Head | None:
        """Return the newest version known to be everybody's; None where nothing was published or fetched yet."""

    def head(self) -> Head | None:
        """Return our own newest version; None where nothing was accepted here yet."""

    def set_published(self, version: WholeVersion, head: Head) -> None:
        """Remember a published version that contains our own head: from now on readers accept either of the two."""

    def set_head(self, version: WholeVersion, head: Head) -> None:
        """Remember that the folder holds this version now."""

    def give_up(self, version: ReadableStore, number: int) -> None:
        """Remember that a draft was given up: what hangs from its event ``number`` counts nowhere any more."""


class Folder(Protocol):
    """The store's folder in the work tree."""

    path: str
    """Where it is, for people."""

    def index_sha256(self) -> str | None:
        """Return the digest of the index that stands there; None where there is no store."""

    def open(self) -> WritableStore:
        """Open it for writing; it is made if it is missing."""
