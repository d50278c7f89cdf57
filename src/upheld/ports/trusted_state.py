"""What the services need of the trusted state of one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from upheld.model.trusted import Accepted, Trusted


class ReadableState(Protocol):
    """The state of one place, read afresh at each call."""

    @property
    def place(self) -> str:
        """What is pinned, or would be."""
        ...

    def knows_store(self, store_id: str) -> bool:
        """Whether a store of this id is pinned anywhere on this machine."""
        ...

    def seen_here(self) -> str:
        """Return the digest of the index that was last accepted in this very folder; empty where none is known.

        The work trees of a repository are one place, so the head may have moved in another folder than this one.
        """
        ...

    def load(self) -> Trusted | None:
        """Return the state, or None where this place was never pinned.

        Raises:
            FaultError: RBK005, the state is unreadable, malformed, or writable by others.
        """
        ...


class TrustedState(ReadableState, Protocol):
    """The state of one place, for reading and writing."""

    def accepted(self) -> Accepted:
        """Return the bytes behind the head.

        Raises:
            FaultError: RBK005, they are missing or do not match the head.
        """
        ...

    def save(self, state: Trusted, accepted: Accepted | None) -> None:
        """Write the state if it is still at the revision that ``state`` was made from, which it then counts up.

        Args:
            state: the new state, with the revision that was read.
            accepted: the bytes behind a new head; None where the head did not move.

        Raises:
            ConflictError: another process has written meanwhile.
            StorageError: it cannot be written.
        """
        ...

    def forget(self) -> None:
        """Remove everything that is remembered of the place, readable or not, so that it can be pinned anew.

        Raises:
            StorageError: it cannot be removed.
        """
        ...

    def keep_evidence(self, name: str, evidence: Mapping[str, object]) -> str:
        """Keep evidence of a fork in a file that can be sent to somebody; return its path."""
        ...
