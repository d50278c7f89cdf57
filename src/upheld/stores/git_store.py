"""A store in a branch of a bare repository: one commit is one whole version (DESIGN section 2, "One port").

New files are only held until the swap; the swap writes them, the index and the deletions as one commit, so there is
never half a version and nothing to settle. What is read is the commit that this store was opened at, until it swaps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Self

from upheld.errors import ConflictError, FaultError, StorageError
from upheld.model.names import unsafe
from upheld.ports.store import ReadableStore, WritableStore
from upheld.stores.files import shown
from upheld.stores.git_commit import Work, commit, instant_of, message_of
from upheld.stores.git_objects import Entry, Objects, tree
from upheld.stores.git_plumbing import Git
from upheld.stores.lock import locked
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex


class GitVersion:
    """One commit of a bare repository, read as a store.

    Args:
        git: the repository.
        commit_id: the commit.
        around: where files that bound sources name are read; None where the version stands alone.
    """

    def __init__(self, git: Git, commit_id: str | None, around: ReadableStore | None = None) -> None:
        self.git = git
        self.commit_id = commit_id
        self.location = f"{git.repository} at {commit_id[:12] if commit_id else 'nothing'}"
        self._around = around
        self._objects = Objects(git)
        self._tree: dict[str, Entry] | None = None

    def close(self) -> None:
        """End the process that reads objects."""
        self._objects.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def files(self) -> Mapping[str, str]:
        """Return every file by name, with an id that is equal for equal bytes."""
        return {name: entry.object_id for name, entry in self._entries().items()}

    def read(self, name: str, limit: int) -> bytes:
        """Read one file of the version. See ``ReadableStore.read``."""
        reason = unsafe(name)
        if reason:
            raise FaultError("STO002", shown(name), detail=reason)
        entry = self._entries().get(name)
        if entry is None:
            raise self._absent(name)
        if not entry.is_plain:
            raise FaultError("STO003", shown(name), detail="the commit holds a link or another repository here")
        if entry.size > limit:
            raise FaultError("STO005", shown(name), detail=f"{entry.size} bytes, at most {limit} are read")
        try:
            return self._objects.blob(entry.object_id)
        except StorageError as error:
            raise FaultError("STO006", shown(name), detail=error.message) from None

    def read_bound(self, name: str, limit: int) -> bytes:
        """Read a file of the repository around the store. See ``ReadableStore.read_bound``."""
        if self._around is None:
            raise FaultError("STO001", shown(name), detail="this version of the store stands alone")
        return self._around.read_bound(name, limit)

    def list(self, folder: str) -> tuple[str, ...]:
        """List one folder of the version. See ``ReadableStore.list``."""
        if folder in self._entries():
            raise FaultError("STO004", shown(folder), detail="a step of the path is not a folder")
        start = f"{folder}/" if folder else ""
        inside = {start + name[len(start) :].split("/", 1)[0] for name in self._entries() if name.startswith(start)}
        return tuple(sorted(inside))

    def _entries(self) -> dict[str, Entry]:
        if self._tree is None:
            try:
                self._tree = tree(self.git, self.commit_id) if self.commit_id is not None else {}
            except StorageError as error:
                raise FaultError("STO006", "index.json", detail=error.message) from None
        return self._tree

    def _absent(self, name: str) -> FaultError:
        if any(other.startswith(f"{name}/") for other in self._entries()):
            return FaultError("STO004", shown(name), detail="a folder")
        return FaultError("STO001", shown(name))


class GitStore(GitVersion):
    """The store in ``ref``, for one writer.

    Args:
        git: the repository; it must exist.
        ref: the full name of the ref that holds the store.
        commit_id: the commit that the ref names now; None where there is no such ref yet.
        around: see ``GitVersion``.
    """

    def __init__(self, git: Git, ref: str, commit_id: str | None, around: ReadableStore | None = None) -> None:
        super().__init__(git, commit_id, around)
        self.ref = ref
        self._held: dict[str, bytes] = {}
        self._gone: frozenset[str] = frozenset()

    @contextmanager
    def lock(self, seconds: float) -> Iterator[None]:
        """Hold the repository for one writer. See ``WritableStore.lock``."""
        with locked(os.path.join(self.git.repository, "upheld.lock"), seconds):
            yield

    def put_all(self, files: Mapping[str, bytes], *, index: bytes | None = None, replaces: Iterable[str] = ()) -> None:
        """Hold new files for the swap; without one to come (a repair) they are committed now.

        See ``WritableStore.put_all``.
        """
        for name, data in files.items():
            if unsafe(name):
                raise FaultError("STO002", shown(name), detail=unsafe(name))
            if self._differs(name, data):
                raise ConflictError(f"{shown(name)} is there already with other bytes")
        self._held |= {name: data for name, data in files.items() if name not in self._entries()}
        self._gone |= frozenset(replaces)
        if index is None and self._held:
            self._commit(self._present_index(), self._held, self._gone)

    def settle(self, named: Callable[[], Collection[str]]) -> None:
        """Forget what is held. See ``WritableStore.settle``: nothing was written yet, so nothing has to be undone."""
        self._forget()

    def swap(self, index: bytes, expected: str | None) -> None:
        """Commit everything at once. See ``WritableStore.swap``."""
        now = self._index_digest()
        if now != expected:
            raise ConflictError("the store moved on", mine=expected or "nothing", theirs=now or "nothing")
        self._commit(index, {**self._held, wire.PLACE: index}, self._gone)

    def delete(self, names: Iterable[str]) -> None:
        """Take files out; most are out already, with the commit that replaced them. See ``WritableStore.delete``."""
        left = [name for name in names if name in self._entries()]
        if left:
            self._commit(self._present_index(), {}, left)

    def remove(self, names: Iterable[str]) -> None:
        """Take orphans out. See ``WritableStore.remove``."""
        self.delete(names)

    def age(self, name: str) -> float:
        """Say that every file is new: a commit holds no dead writer's leavings. See ``WritableStore.age``."""
        return 0.0

    def mend(self, name: str, data: bytes) -> None:
        """Put right bytes, as a commit of its own; the wrong ones stay in the commit before. See ``WritableStore``."""
        self._commit(self._present_index(), {name: data}, ())

    def _forget(self) -> None:
        self._held, self._gone = {}, frozenset()

    def _commit(self, index: bytes, files: Mapping[str, bytes], gone: Iterable[str]) -> None:
        work = Work(
            ref=self.ref,
            parent=self.commit_id,
            files=files,
            gone=[name for name in gone if name in self._entries()],
            message=message_of(index, files),
            instant=instant_of(index),
        )
        self.commit_id = commit(self.git, work)
        self._tree = None
        self._forget()

    def _differs(self, name: str, data: bytes) -> bool:
        if name in self._held:
            return self._held[name] != data
        entry = self._entries().get(name)
        return entry is not None and (entry.size != len(data) or self.read(name, len(data)) != data)

    def _present_index(self) -> bytes:
        return self.read(wire.PLACE, wire.MAX_BYTES)

    def _index_digest(self) -> str | None:
        try:
            return sha256_hex(self._present_index())
        except FaultError as fault:
            if fault.code == "STO001":
                return None
            raise StorageError(f"the index cannot be read: {fault}") from None


_: type[WritableStore] = GitStore
