"""What stands in for history where git is missing: it keeps nothing, and says so once."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from upheld.errors import StorageError
from upheld.model.change import Committed
from upheld.ports.history import Kept, RecordingHistory
from upheld.stores.git_store import GitVersion

NOTE = "git is not installed here, so earlier versions of the store are not kept"
HELP = "install git; the next commit then keeps everything that is still there"


class NoHistory:
    """Keeps nothing.

    Args:
        mark: a file whose presence says that it was said already; made the first time.
    """

    def __init__(self, mark: str) -> None:
        self.location = "nowhere: git is not installed"
        self._mark = mark

    def record(self, committed: Committed) -> None:
        """Say once that nothing is kept. See ``History.record``."""
        if self._is_first():
            raise StorageError(NOTE, help=HELP)

    def versions(self) -> tuple[Kept, ...]:
        """Return nothing. See ``History.versions``."""
        return ()

    def read(self, name: str, sha256: str) -> bytes | None:
        """Return nothing. See ``History.read``."""
        return None

    def beside(self, index_sha256: str, folders: tuple[str, ...]) -> Mapping[str, bytes]:
        """Return nothing. See ``History.beside``."""
        return {}

    def open(self, kept: Kept) -> GitVersion:
        """Refuse: nothing was kept. See ``History.open``."""
        raise StorageError(NOTE, help=HELP)

    def can_purge(self) -> bool:
        """Nothing is kept, so nothing has to be taken out. See ``History.can_purge``."""
        return True

    def purge(self, names: Collection[str]) -> None:
        """Do nothing. See ``History.purge``."""

    def _is_first(self) -> bool:
        try:
            os.makedirs(os.path.dirname(self._mark), mode=0o700, exist_ok=True)
            os.close(os.open(self._mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return False
        except OSError:
            return True
        return True


_: type[RecordingHistory] = NoHistory
