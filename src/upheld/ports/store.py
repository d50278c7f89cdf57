"""Where a store lives: a folder, a bare git repository, an object store."""

from __future__ import annotations

from typing import Protocol


class ReadableStore(Protocol):
    """What reading needs of a place. Names are relative, with forward slashes."""

    location: str
    """Where this is, for people."""

    def read(self, name: str, limit: int) -> bytes:
        """Return the bytes of one file, at most ``limit`` of them, from one bounded read.

        Raises:
            FaultError: STO001 missing, STO002 unsafe name, STO003 link, STO004 not a file, STO005 too large,
                STO006 unreadable.
        """

    def read_bound(self, name: str, limit: int) -> bytes:
        """Return the bytes of a file of the repository that this store belongs to; raises like ``read``."""

    def list(self, folder: str) -> tuple[str, ...]:
        """Return the names in one folder, sorted, as ``folder/name``; empty where there is no such folder.

        Raises:
            FaultError: the folder is a link, is no folder, or cannot be read.
        """
