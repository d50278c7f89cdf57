"""A store in a folder: reading. Writing stands in ``stores.directory_writer``, which a recall never loads."""

from __future__ import annotations

import os

from upheld.errors import FaultError, NoStoreError
from upheld.stores.files import Files

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Iterator
    from typing import Self

    from upheld.ports.store import ReadableStore, ReadsFolders


class DirectoryStore:
    """The store whose ``index.json`` stands in ``path``.

    Args:
        path: the store's folder.

    Raises:
        NoStoreError: there is no such folder.
    """

    def __init__(self, path: str) -> None:
        self.location = path
        try:
            self._files = Files(path)
        except OSError as error:
            raise NoStoreError(
                f"no store at {path}: {os.strerror(error.errno or 0)}", help="name another with `--store`"
            ) from None
        self._repository: Files | None = None

    def close(self) -> None:
        """Close every descriptor that is kept open."""
        self._files.close()
        if self._repository is not None:
            self._repository.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, name: str, limit: int) -> bytes:
        """Read one file of the store. See ``ReadableStore.read``."""
        return self._files.read(name, limit)

    def list(self, folder: str) -> tuple[str, ...]:
        """List one folder of the store. See ``ReadableStore.list``."""
        return self._files.list(folder)

    def reader(self, folder: str, limit: int) -> Callable[[str], bytes | None]:
        """Read many files of one folder. See ``ReadsFolders.reader``."""
        return self._files.reader(folder, limit)

    def listing(self, folder: str) -> Iterator[tuple[builtins.list[str], bool]]:
        """List one folder of the store, in any order. See ``ReadsFolders.listing``."""
        return self._files.listing(folder)

    def read_bound(self, name: str, limit: int) -> bytes:
        """Read a file of the repository around the store. See ``ReadableStore.read_bound``."""
        if self._repository is None:
            try:
                self._repository = Files(repository_of(self.location))
            except OSError as error:
                raise FaultError("STO006", name, detail=os.strerror(error.errno or 0)) from None
        return self._repository.read(name, limit)


def repository_of(path: str) -> str:
    """Return the folder that bound sources are relative to: the git work tree around the store, else its parent."""
    here = parent = os.path.dirname(os.path.realpath(path))
    while True:
        if os.path.lexists(os.path.join(here, ".git")):
            return here
        above = os.path.dirname(here)
        if above == here:
            return parent
        here = above


if TYPE_CHECKING:
    _: type[ReadableStore] = DirectoryStore
    __: type[ReadsFolders] = DirectoryStore
