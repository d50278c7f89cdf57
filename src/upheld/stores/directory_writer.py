"""A store in a folder: writing (DESIGN section 2, "Commit: new files first, the pointer last").

A commit is: ``put_all`` (write all, fsync all, publish all, fsync each folder once), then ``swap`` (compare, replace,
fsync the folder). Before its first file an attempt leaves a note of what it is going to make and what its swap will
make superfluous; the next writer that gets the lock finds the note of a dead one and settles it. The note needs no
fsync: if it is lost, ``gc`` finds the orphans later.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from upheld.errors import CommitUnknownError, ConflictError, FaultError, NoStoreError, StorageError
from upheld.model.names import unsafe
from upheld.ports.store import WritableStore
from upheld.stores.directory import DirectoryStore
from upheld.stores.disk import Disk
from upheld.stores.lock import locked
from upheld.wire import index as wire
from upheld.wire import strictjson
from upheld.wire.digest import sha256_hex

LOCK = ".lock"
NOTE = ".attempt"
TEMPORARY = ".new-"
"""How the names of temporary files begin: hidden, and not ending in ``.json``."""
EVIDENCE = ".damaged-"
"""How the names of damaged bytes begin that were put aside."""
_NUMBERED = ("log/", "trust/")
_READ_LIMIT = 64 * 1024 * 1024
T = TypeVar("T")


class WritableDirectory(DirectoryStore):
    """The store in ``path``, for one writer.

    Args:
        path: the store's folder; it must exist.
        disk: what the folder is written through; the real disk unless a test brings another.
    """

    def __init__(self, path: str, disk: Disk | None = None) -> None:
        super().__init__(path)
        self._disk = disk or Disk(path)
        self._excludes = False

    def close(self) -> None:
        """Close every descriptor that is kept open."""
        super().close()
        self._disk.close()

    @contextmanager
    def lock(self, seconds: float) -> Iterator[None]:
        """Hold the store for one writer. See ``WritableStore.lock``."""
        with locked(os.path.join(self.location, LOCK), seconds) as excludes:
            self._excludes = excludes
            if excludes:
                self.settle()
            yield

    def put_all(self, files: Mapping[str, bytes], *, index: bytes | None = None, replaces: Iterable[str] = ()) -> None:
        """Make new files durable. See ``WritableStore.put_all``."""
        fresh = {name: data for name, data in files.items() if not self._stands(name, data)}
        if index is not None:
            self._attempt("write", lambda: self._note(fresh, index, replaces))
        made: dict[str, str] = {}
        try:
            self._attempt("write", lambda: self._write(fresh, made))
        except BaseException:
            self._drop(made.values())
            raise

    def swap(self, index: bytes, expected: str | None) -> None:
        """Commit. See ``WritableStore.swap``."""
        temporary = self._temporary(wire.PLACE)
        self._attempt("write the index", lambda: self._write_index(index, temporary))
        try:
            self._compare(expected)
            if expected is None:
                self._attempt("publish the index", lambda: self._disk.publish(temporary, wire.PLACE))
        except BaseException:
            self._drop([temporary])
            raise
        try:
            if expected is not None:
                self._disk.replace(temporary, wire.PLACE)
            self._disk.sync_folder("")
        except OSError as error:
            self._unknown(index, temporary, error)

    def delete(self, names: Iterable[str]) -> None:
        """Delete superfluous files and the note of this attempt. See ``WritableStore.delete``."""
        for name in (*names, NOTE):
            try:
                self._disk.remove(name)
            except OSError:
                # What cannot be removed now is an orphan, never served; `gc` reports it.
                continue

    def remove(self, names: Iterable[str]) -> None:
        """Delete orphans. See ``WritableStore.remove``."""
        self._drop(names)

    def age(self, name: str) -> float:
        """Return a file's age in seconds. See ``WritableStore.age``."""
        try:
            return max(0.0, time.time() - os.lstat(os.path.join(self.location, *name.split("/"))).st_mtime)
        except OSError:
            return 0.0

    def mend(self, name: str, data: bytes) -> None:
        """Replace a damaged or missing file. See ``WritableStore.mend``."""
        folder, _, leaf = name.rpartition("/")
        temporary = self._temporary(name)

        def act() -> None:
            self._make_folders([name])
            if self._disk.exists(name):
                self._keep(name, f"{folder}/{EVIDENCE}{leaf}-{secrets.token_hex(4)}".lstrip("/"))
            mode = 0o444 if name.startswith("sources/") else 0o644
            self._disk.sync_and_close(self._disk.write_new(temporary, data, mode))
            self._disk.replace(temporary, name)
            self._disk.sync_folder(folder)

        try:
            self._attempt("mend a file", act)
        except BaseException:
            self._drop([temporary])
            raise

    def _keep(self, name: str, evidence: str) -> None:
        """Keep damaged bytes beside the file; what cannot be read is moved away whole."""
        try:
            self._disk.sync_and_close(self._disk.write_new(evidence, self.read(name, _READ_LIMIT), 0o644))
        except FaultError:
            self._disk.replace(name, evidence)

    def _write(self, fresh: Mapping[str, bytes], made: dict[str, str]) -> None:
        folders = self._make_folders(fresh)
        descriptors: dict[str, int] = {}
        try:
            for name, data in fresh.items():
                made[name] = self._temporary(name)
                mode = 0o444 if name.startswith("sources/") else 0o644
                descriptors[name] = self._disk.write_new(made[name], data, mode)
            for name in fresh:
                self._disk.sync_and_close(descriptors.pop(name))
        finally:
            for descriptor in descriptors.values():
                os.close(descriptor)
        for name, data in fresh.items():
            self._publish(made[name], name, data)
            del made[name]
        for folder in folders:
            self._disk.sync_folder(folder)

    def _make_folders(self, names: Iterable[str]) -> list[str]:
        """Make the folders that are missing; return every folder whose names must be made durable, parents last."""
        folders = {name.rpartition("/")[0] for name in names}
        parents = {folder.rpartition("/")[0] for folder in sorted(folders) if folder and self._disk.make_folder(folder)}
        return sorted(folders | parents, reverse=True)

    def _publish(self, temporary: str, name: str, data: bytes) -> None:
        try:
            self._disk.publish(temporary, name)
        except FileExistsError:
            if not self._stands(name, data):
                raise ConflictError(f"{name} appeared with other bytes while it was written") from None
            self._disk.remove(temporary)

    def _stands(self, name: str, data: bytes) -> bool:
        """Whether the file is there with these bytes.

        Names that count (log events, trust roots) are used again after an attempt that came to nothing; under the lock
        such a leftover gives way. All other names carry the digest of their bytes.

        Raises:
            ConflictError: it is there with other bytes.
        """
        if unsafe(name):
            raise FaultError("STO002", name, detail=unsafe(name))
        try:
            found = self.read(name, _READ_LIMIT)
        except FaultError as fault:
            if fault.code == "STO001":
                return False
            raise
        if found == data:
            return True
        if not (self._excludes and name.startswith(_NUMBERED)):
            raise ConflictError(f"{name} is there already with other bytes")
        self._attempt("clear a leftover", lambda: self._disk.remove(name))
        return False

    def _write_index(self, index: bytes, temporary: str) -> None:
        descriptor = self._disk.write_new(temporary, index, 0o644)
        try:
            self._disk.sync_and_close(descriptor)
        except OSError:
            self._drop([temporary])
            raise

    def _compare(self, expected: str | None) -> None:
        now = self._index_digest()
        if now != expected:
            raise ConflictError(
                "the store moved on while this was being written", mine=expected or "nothing", theirs=now or "nothing"
            )

    def _index_digest(self) -> str | None:
        try:
            return sha256_hex(self.read(wire.PLACE, wire.MAX_BYTES))
        except FaultError as fault:
            if fault.code == "STO001":
                return None
            raise StorageError(f"the index cannot be read: {fault}") from None

    def _unknown(self, index: bytes, temporary: str, error: OSError) -> None:
        """After the replacement was asked for, only the index itself says whether it happened."""
        reason = os.strerror(error.errno or 0)
        try:
            now = self._index_digest()
        except StorageError:
            now = ""
        if now == sha256_hex(index):
            raise CommitUnknownError(
                f"the new index is in place, but the disk did not confirm it ({reason})",
                help="readers see the new version; `upheld verify` after the next restart shows whether it lasted",
            ) from None
        self._drop([temporary])
        if now:
            raise StorageError(f"the index could not be replaced: {reason}; nothing was changed") from None
        raise CommitUnknownError(
            f"the index was being replaced and cannot be read back ({reason})", help="run `upheld verify`"
        ) from None

    def _note(self, fresh: Mapping[str, bytes], index: bytes, replaces: Iterable[str]) -> None:
        from json import dumps

        note = {
            "made": sorted(fresh),
            "replaces": sorted(replaces),
            "base": self._index_digest(),
            "next": sha256_hex(index),
        }
        descriptor = self._disk.write_new(temporary := self._temporary(NOTE), dumps(note).encode(), 0o644)
        os.close(descriptor)
        self._disk.replace(temporary, NOTE)

    def settle(self) -> None:
        """Undo or finish an attempt by its note: only files that it names go. See ``WritableStore.settle``.

        If the index is neither what the attempt started from nor what it wanted, somebody else has been here; then
        nothing is touched but the note, and `gc` finds the orphans.
        """
        try:
            note = strictjson.parse(self.read(NOTE, _READ_LIMIT), NOTE, limit=_READ_LIMIT)
        except FaultError as fault:
            if fault.code != "STO001":
                self.delete(())
            return
        now = self._index_digest()
        names = {note.get("base"): note.get("made"), note.get("next"): note.get("replaces")}.get(now)
        listed = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
        self.delete([name for name in listed if not unsafe(name) and name != wire.PLACE])
        self._drop_temporaries({name.rpartition("/")[0] for name in listed} | {""})

    def _drop_temporaries(self, folders: Iterable[str]) -> None:
        for folder in folders:
            self._drop(name for name in self.list(folder) if name.rpartition("/")[2].startswith(TEMPORARY))

    def _drop(self, names: Iterable[str]) -> None:
        for name in names:
            try:
                self._disk.remove(name)
            except OSError:
                continue

    def _temporary(self, name: str) -> str:
        folder, _, leaf = name.rpartition("/")
        return f"{folder}/{TEMPORARY}{leaf}-{secrets.token_hex(6)}".lstrip("/")

    def _attempt(self, doing: str, act: Callable[[], T]) -> T:
        try:
            return act()
        except OSError as error:
            raise StorageError(
                f"could not {doing}: {os.strerror(error.errno or 0)}; nothing was committed",
                help="free space or mend the disk, then try again",
            ) from None


def open_writable(path: str) -> WritableDirectory:
    """Open an existing folder for writing.

    Raises:
        NoStoreError: it is not there.
    """
    if not os.path.isdir(path):
        raise NoStoreError(f"no store at {path}", help="make one with `upheld init`")
    return WritableDirectory(path)


_: type[WritableStore] = WritableDirectory
