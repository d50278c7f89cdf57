"""A store made of the bytes that a receipt carries, and one that notes which bytes were read."""

from __future__ import annotations

from collections.abc import Mapping

from upheld.errors import FaultError
from upheld.model.names import unsafe
from upheld.ports.store import ReadableStore


class ReceiptStore:
    """Files by name, read as a folder would be read. ``unread`` says which were never asked for."""

    def __init__(self, files: Mapping[str, bytes], repository: Mapping[str, bytes]) -> None:
        self.location = "the receipt"
        self._files = files
        self._repository = repository
        self._read: set[tuple[bool, str]] = set()

    def read(self, name: str, limit: int) -> bytes:
        """Return one file of the store. See ``ReadableStore.read``."""
        self._read.add((False, name))
        return _bounded(self._files, name, limit)

    def read_bound(self, name: str, limit: int) -> bytes:
        """Return one bound file. See ``ReadableStore.read_bound``."""
        self._read.add((True, name))
        return _bounded(self._repository, name, limit)

    def list(self, folder: str) -> tuple[str, ...]:
        """Return the names in one folder. See ``ReadableStore.list``."""
        start = f"{folder}/" if folder else ""
        inside = {start + name[len(start) :].split("/", 1)[0] for name in self._files if name.startswith(start)}
        return tuple(sorted(inside))

    def unread(self) -> tuple[str, ...]:
        """Return the files that nothing asked for, sorted."""
        every = {(False, name) for name in self._files} | {(True, name) for name in self._repository}
        return tuple(sorted(name for _, name in every - self._read))


class RecordingStore:
    """Another store, noting the bytes of everything that is read from it; the last reading of a name counts."""

    def __init__(self, store: ReadableStore) -> None:
        self.location = store.location
        self._store = store
        self.files: dict[str, bytes] = {}
        self.repository: dict[str, bytes] = {}

    def read(self, name: str, limit: int) -> bytes:
        """Read and note one file of the store."""
        self.files[name] = self._store.read(name, limit)
        return self.files[name]

    def read_bound(self, name: str, limit: int) -> bytes:
        """Read and note one bound file."""
        self.repository[name] = self._store.read_bound(name, limit)
        return self.repository[name]

    def list(self, folder: str) -> tuple[str, ...]:
        """List a folder; names are not noted."""
        return self._store.list(folder)


def _bounded(files: Mapping[str, bytes], name: str, limit: int) -> bytes:
    reason = unsafe(name)
    if reason:
        raise FaultError("STO002", ascii(name[:200])[1:-1], detail=reason)
    data = files.get(name)
    if data is None:
        raise FaultError("STO001", name)
    if len(data) > limit:
        raise FaultError("STO005", name, detail=f"{len(data)} bytes, at most {limit} are read")
    return data


_: tuple[type[ReadableStore], type[ReadableStore]] = (ReceiptStore, RecordingStore)
