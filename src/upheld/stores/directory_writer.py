"""A store in a folder: writing (DESIGN section 2, "Commit: new files first, the pointer last").

A commit is: ``put_all`` (write all, fsync all, publish all, fsync each folder once), then ``swap`` (compare, replace,
fsync the folder). Before its first file an attempt leaves a note of what it is going to make and what its swap will
make superfluous; the next writer that gets the lock finds the note of a dead one and settles it. The note needs no
fsync: if it is lost, ``gc`` finds the orphans later. What each fsync is for is proved in tests/crash, where leaving out
any one of them is caught; docs/explanation/crash-safety.md says it in words.

Where the platform has no lock, publishing under a name that must be free and comparing the index still keep writers
apart, except in the instant between comparing and replacing. Such a writer leaves no note and takes nothing away but
its own temporaries and its own seal: it cannot tell a dead writer's files from a live one's. ``gc`` can, by their age.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from upheld.errors import CommitUnknownError, ConflictError, FaultError, NoStoreError, StorageError
from upheld.model.names import unsafe
from upheld.ports.store import WritableStore
from upheld.stores.directory import DirectoryStore
from upheld.stores.disk import Disk
from upheld.stores.files import close_quietly
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
FOLDERS = ("index", "log", "proposals", "records", "seals", "sources", "triggers", "trust")
"""The folders of a store. A note can have files removed from these, and from nowhere else."""
_AT_ROOT = frozenset([".gitattributes", "README.md"])
_NUMBERED = ("log/", "trust/")
_OPEN_AT_ONCE = 100
"""Files written and not yet made durable; a process may often have no more than 256 open."""
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
        self._own_seals: tuple[str, ...] = ()

    def close(self) -> None:
        """Close every descriptor that is kept open."""
        super().close()
        self._disk.close()

    @contextmanager
    def lock(self, seconds: float) -> Iterator[None]:
        """Hold the store for one writer. See ``WritableStore.lock``."""
        with locked(os.path.join(self.location, LOCK), seconds) as excludes:
            self._excludes = excludes
            try:
                yield
            finally:
                self._excludes = False

    def put_all(self, files: Mapping[str, bytes], *, index: bytes | None = None, replaces: Iterable[str] = ()) -> None:
        """Make new files durable. See ``WritableStore.put_all``."""
        fresh = {name: data for name, data in files.items() if not self._stands(name, data)}
        if index is not None and self._excludes:
            self._attempt("write", lambda: self._note(fresh, index, replaces))
        self._own_seals = tuple(name for name in fresh if name.startswith("seals/"))
        made: dict[str, str] = {}
        try:
            self._attempt("write", lambda: self._write(files, fresh, made))
        except BaseException:
            self._drop(made.values())
            raise

    def swap(self, index: bytes, expected: str | None) -> None:
        """Commit. See ``WritableStore.swap``."""
        temporary = self._temporary(wire.PLACE)
        try:
            self._attempt("write the index", lambda: self._write_index(index, temporary))
            self._compare(expected)
        except BaseException:
            self._drop([temporary])
            raise
        try:
            if expected is None:
                self._disk.publish(temporary, wire.PLACE)
            else:
                self._disk.replace(temporary, wire.PLACE)
            self._disk.sync_folder("")
        except FileExistsError:
            self._drop([temporary])
            raise ConflictError("another store was made here meanwhile", mine="nothing", theirs="a store") from None
        except OSError as error:
            self._unknown(index, expected, temporary, error)
        self._own_seals = ()

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

    def _write(self, files: Iterable[str], fresh: Mapping[str, bytes], made: dict[str, str]) -> None:
        folders = self._make_folders(files)
        names = list(fresh)
        for start in range(0, len(names), _OPEN_AT_ONCE):
            self._write_part(names[start : start + _OPEN_AT_ONCE], fresh, made)
        for name in files:
            if name not in fresh:
                self._disk.sync_file(name)  # it stood here already: whoever made it need not have waited for the disk
        for name, data in fresh.items():
            self._publish(made[name], name, data)
            del made[name]
        for folder in folders:
            self._disk.sync_folder(folder)

    def _write_part(self, names: Iterable[str], fresh: Mapping[str, bytes], made: dict[str, str]) -> None:
        """Write some files, then make them durable: the disk has them all to order before it is waited for."""
        descriptors: list[int] = []
        try:
            for name in names:
                made[name] = self._temporary(name)
                mode = 0o444 if name.startswith("sources/") else 0o644
                descriptors.append(self._disk.write_new(made[name], fresh[name], mode))
            while descriptors:
                self._disk.sync_and_close(descriptors.pop(0))
        finally:
            for descriptor in descriptors:
                close_quietly(descriptor)

    def _make_folders(self, names: Iterable[str]) -> list[str]:
        """Make the folders that are missing; return every folder whose names must be made durable, parents last."""
        folders = {name.rpartition("/")[0] for name in names}
        # Without a lock, another writer may have made a folder and not made it durable yet.
        parents = {
            folder.rpartition("/")[0]
            for folder in sorted(folders)
            if folder and (self._disk.make_folder(folder) or not self._excludes)
        }
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
            raise StorageError(f"{name} cannot be read: {fault}; nothing was committed") from None
        if found == data:
            return True
        if not (self._excludes and name.startswith(_NUMBERED)):
            raise ConflictError(f"{name} is there already with other bytes", help="see what `upheld doctor` says of it")
        self._attempt("clear a leftover", lambda: self._disk.remove(name))
        return False

    def _write_index(self, index: bytes, temporary: str) -> None:
        self._disk.sync_and_close(self._disk.write_new(temporary, index, 0o644))

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

    def _unknown(self, index: bytes, expected: str | None, temporary: str, error: OSError) -> None:
        """After the replacement was asked for, only the index itself says whether it happened."""
        reason = os.strerror(error.errno or 0)
        now: str | None
        try:
            now = self._index_digest()
        except StorageError:
            now = ""
        self._drop([temporary])
        if now == sha256_hex(index):
            raise CommitUnknownError(
                f"the new index is in place, but the disk did not confirm it ({reason})",
                help="readers see the new version; `upheld verify` after the next restart shows whether it lasted",
            ) from None
        if now == expected:
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
        # In place and not by a rename: nothing is made before it is whole, so that half a note says "nothing was made".
        try:
            os.close(self._disk.write_new(NOTE, dumps(note).encode(), 0o644))
        except BaseException:
            self._drop([NOTE])
            raise

    def settle(self, named: Callable[[], Collection[str]]) -> None:
        """Undo or finish an attempt by its note: only files that it names go. See ``WritableStore.settle``.

        If the index is neither what the attempt started from nor what it wanted, somebody else has been here; then
        only temporaries go, and `gc` finds the orphans.
        """
        if not self._excludes:
            self._drop(self._own_seals)
            self._own_seals = ()
            return
        note = self._left_note()
        if note is None:
            return
        names = self._superfluous(note)
        # A dead writer may have replaced the index, or made a folder, and not waited for the disk: what follows builds
        # on that, and what it replaced must not go before it is durable.
        self._attempt("make durable what a dead writer left", self._sync_all)
        if names:
            names = self._without_named(names, named)
        self._drop(names)
        self._drop_temporaries(("", *FOLDERS))
        self.delete(())

    def _left_note(self) -> Mapping[str, object] | None:
        """Return the note that is there, empty where it cannot be read; None where there is none."""
        try:
            return strictjson.parse(self.read(NOTE, _READ_LIMIT), NOTE, limit=_READ_LIMIT)
        except FaultError as fault:
            return None if fault.code == "STO001" else {}

    def _superfluous(self, note: Mapping[str, object]) -> list[str]:
        """Return which files the note says are for nothing, as things stand: of those that a commit can make."""
        now = self._index_digest()
        listed: object = None
        if "base" in note and now == note["base"]:
            listed = note.get("made")
        elif now == note.get("next"):
            listed = note.get("replaces")
        names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
        return [name for name in names if _is_ours(name) and self._disk.exists(name)]

    def _without_named(self, names: list[str], named: Callable[[], Collection[str]]) -> list[str]:
        """Leave out what the index leads to, whatever the note says; where that cannot be told, leave out all."""
        try:
            live = named()
        except FaultError:
            return []
        return [name for name in names if name not in live]

    def _sync_all(self) -> None:
        for folder in FOLDERS:
            if self._disk.exists(folder):
                self._disk.sync_folder(folder)
        self._disk.sync_folder("")

    def _drop_temporaries(self, folders: Iterable[str]) -> None:
        for folder in folders:
            try:
                names = self.list(folder)
            except FaultError:
                continue  # no folder; whatever it is, it is not ours to clear
            self._drop(name for name in names if name.rpartition("/")[2].startswith(TEMPORARY))

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


def _is_ours(name: str) -> bool:
    """Whether a commit can make a file of this name: directly in one of the folders of a store, or one of two above."""
    if unsafe(name):
        return False
    folder, _, leaf = name.partition("/")
    return name in _AT_ROOT if not leaf else folder in FOLDERS and "/" not in leaf


def open_writable(path: str) -> WritableDirectory:
    """Open an existing folder for writing.

    Raises:
        NoStoreError: it is not there.
    """
    if not os.path.isdir(path):
        raise NoStoreError(f"no store at {path}", help="make one with `upheld init`")
    return WritableDirectory(path)


_: type[WritableStore] = WritableDirectory
