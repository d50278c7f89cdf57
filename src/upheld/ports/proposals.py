"""Where proposals wait: a folder of the store that no read path looks into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from upheld.model.remembered import Rejection, Remembered


class Proposals(Protocol):
    """The waiting proposals of one store. Writing takes no lock and no key."""

    def ids(self) -> tuple[str, ...]:
        """Return every id, sorted.

        Raises:
            FaultError: the folder cannot be read.
        """
        ...

    def read(self, proposal_id: str) -> bytes:
        """Return the bytes of one.

        Raises:
            FaultError: STO001 where there is none; STO002-STO006.
        """
        ...

    def put_new(self, proposal_id: str, data: bytes) -> None:
        """Add one, whole and durable.

        Raises:
            StorageError: the disk failed, or the id is taken.
        """
        ...

    def replace(self, proposal_id: str, data: bytes) -> None:
        """Put other bytes in the place of one; raises like ``put_new``."""
        ...

    def delete(self, proposal_id: str) -> None:
        """Remove one; one that is gone is no fault. Raises like ``put_new``."""
        ...


class Texts(Protocol):
    """What this user rejected and was served, as fingerprints."""

    def load(self) -> Remembered:
        """Return it.

        Raises:
            FaultError: it cannot be trusted.
        """
        ...

    def reject(self, rejection: Rejection) -> None:
        """Remember a rejected text.

        Raises:
            StorageError: it cannot be written.
        """
        ...

    def lift(self, proposal_id: str) -> bool:
        """Forget a rejection; return whether there was one."""
        ...
