"""The store's folder in the work tree, as ``sync`` sees it: it may be missing, and is made when a version comes in."""

from __future__ import annotations

import os

from upheld.errors import FaultError, NoStoreError, StorageError
from upheld.ports.team import Folder
from upheld.stores.directory import DirectoryStore
from upheld.stores.directory_writer import WritableDirectory
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex


class WorkFolder:
    """The folder at ``path``."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._opened: list[WritableDirectory] = []

    def close(self) -> None:
        """Close what was opened."""
        while self._opened:
            self._opened.pop().close()

    def index_sha256(self) -> str | None:
        """Return the digest of the index. See ``Folder.index_sha256``."""
        try:
            with DirectoryStore(self.path) as store:
                return sha256_hex(store.read(wire.PLACE, wire.MAX_BYTES))
        except NoStoreError:
            return None
        except FaultError as fault:
            if fault.code == "STO001":
                return None
            raise

    def open(self) -> WritableDirectory:
        """Open the folder for writing, and make it first where it is missing. See ``Folder.open``."""
        if os.path.islink(self.path):
            raise StorageError(f"{self.path} is a link; a store is never written through one")
        try:
            os.makedirs(self.path, exist_ok=True)
        except OSError as error:
            raise StorageError(f"cannot make {self.path}: {os.strerror(error.errno or 0)}") from None
        store = WritableDirectory(self.path)
        self._opened.append(store)
        return store


_: type[Folder] = WorkFolder
