"""Where a store lives: a folder, a bare git repository, an object store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager


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


@runtime_checkable
class ReadsFolders(Protocol):
    """What a place may offer besides, where many files of one folder are read in a row (``verify``)."""

    def reader(self, folder: str, limit: int) -> Callable[[str], bytes | None]:
        """Return a function from the last step of a name to the bytes of that file in ``folder``.

        It refuses whatever ``ReadableStore.read`` refuses, and may refuse more; only a device it may take for a file,
        which ``listing`` tells. None stands for any refusal: ``read`` says which.
        """

    def listing(self, folder: str) -> Iterator[tuple[list[str], bool]]:
        """Yield the last steps of the names in ``folder``, some at a time, and whether each is that of a regular file.

        It raises like ``ReadableStore.list``.
        """


class WritableStore(ReadableStore, Protocol):
    """What a commit needs of a place (DESIGN section 2, "Commit").

    Every method may raise ``StorageError``: the place failed, and what it was asked to do did not take effect, unless
    the method says otherwise.
    """

    def lock(self, seconds: float) -> AbstractContextManager[None]:
        """Hold the store for one writer. What a dead one left behind is settled by ``settle``.

        Raises:
            BusyError: another writer held it for all of ``seconds``.
        """

    def put_all(self, files: Mapping[str, bytes], *, index: bytes | None = None, replaces: Iterable[str] = ()) -> None:
        """Make new files, all of them durable when this returns; one that exists with the same bytes is left alone.

        Args:
            files: bytes by name. No live index names one of them with other bytes.
            index: the index that the coming swap will put in place, so that a later writer can tell whether this one
                died before or after it; None where no swap follows (a repair).
            replaces: names that the swap will make superfluous.

        Raises:
            ConflictError: a name exists with other bytes.
        """

    def settle(self, named: Callable[[], Collection[str]]) -> None:
        """Undo, or finish, the attempt whose note is still there. The caller holds the lock.

        Args:
            named: gives every name that the index leads to now; none of these is removed, whatever a note says. It is
                asked only where there is something to remove. It may raise ``FaultError``: then nothing is removed.
        """

    def swap(self, index: bytes, expected: str | None) -> None:
        """Replace the index if it still has the digest ``expected`` (None: if there is none): the commit.

        Raises:
            ConflictError: the index has moved.
            CommitUnknownError: the replacement was asked for, and whether it is durable cannot be told.
        """

    def delete(self, names: Iterable[str]) -> None:
        """Delete files that nothing names any more; one that is gone already is no fault."""

    def remove(self, names: Iterable[str]) -> None:
        """Delete orphans, outside any commit; one that is gone already, or cannot be removed, is no fault."""

    def age(self, name: str) -> float:
        """Return how many seconds ago a file was last written; 0 for one that is gone or from the future."""

    def mend(self, name: str, data: bytes) -> None:
        """Put right bytes, durably, where a file is missing or holds others; those are kept beside it as evidence.

        Only for bytes of the digest that the live index asks for. The caller holds the lock.
        """
