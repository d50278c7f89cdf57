"""A store held in memory. It refuses what a folder would refuse, with the same codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upheld.errors import FaultError
from upheld.model.names import unsafe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from upheld.ports.store import ReadableStore


class MemoryStore:
    """A readable store made of a mapping from name to bytes.

    Args:
        files: the store's files by name. It is kept, not copied: a test may change it between two reads.
        repository: the files around the store that bound sources live in.
        location: where the store says it is.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        repository: Mapping[str, bytes] | None = None,
        location: str = "memory",
    ) -> None:
        self.files = files
        self.repository = {} if repository is None else repository
        self.location = location

    def read(self, name: str, limit: int) -> bytes:
        """Return one file of the store. See ``ReadableStore.read``."""
        return _read(self.files, name, limit)

    def read_bound(self, name: str, limit: int) -> bytes:
        """Return one file of the repository. See ``ReadableStore.read_bound``."""
        return _read(self.repository, name, limit)

    def list(self, folder: str) -> tuple[str, ...]:
        """Return the names in one folder. See ``ReadableStore.list``."""
        if folder in self.files:
            raise FaultError("STO004", folder, detail="a step of the path is not a folder")
        start = f"{folder}/" if folder else ""
        inside = {start + name[len(start) :].split("/", 1)[0] for name in self.files if name.startswith(start)}
        return tuple(sorted(inside))


def _read(files: Mapping[str, bytes], name: str, limit: int) -> bytes:
    reason = unsafe(name)
    if reason:
        raise FaultError("STO002", name, detail=reason)
    data = files.get(name)
    if data is None:
        is_folder = any(other.startswith(f"{name}/") for other in files)
        raise FaultError("STO004", name, detail="a folder") if is_folder else FaultError("STO001", name)
    if len(data) > limit:
        raise FaultError("STO005", name, detail=f"{len(data)} bytes, at most {limit} are read")
    return data


if TYPE_CHECKING:
    _: type[ReadableStore] = MemoryStore
