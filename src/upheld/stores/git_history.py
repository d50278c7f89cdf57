"""Every version of one store, in a bare repository in the user's state folder (DESIGN section 3).

``record`` costs one process: the commit hands over what it made, and a small file beside the ref says which commit is
the newest, so nothing has to be asked. Where that is not what the commit was made from (a version was missed, or the
store came from elsewhere) the whole folder is compared instead.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping

from upheld.errors import ConflictError, FaultError, StorageError
from upheld.model.change import Committed
from upheld.model.index import Index
from upheld.model.names import carries_digest
from upheld.model.value import Value
from upheld.ports.history import Kept, RecordingHistory
from upheld.ports.store import ReadableStore
from upheld.ports.team import Archive
from upheld.stores.git_commit import INDEX, VERSION, Work, commit, instant_of, message_of, tip
from upheld.stores.git_objects import Entry, Objects, tree
from upheld.stores.git_plumbing import Git
from upheld.stores.git_purge import purge
from upheld.stores.git_spread import spread
from upheld.stores.git_store import GitVersion
from upheld.wire import index as wire
from upheld.wire import strictjson
from upheld.wire.digest import sha256_hex

REF = "refs/upheld/history"
_NEWEST = "upheld-newest.json"
_RECORD_SECONDS = 8.0
"""Less than a writer waits for the lock of the store: a git that hangs delays the next writer and no more."""
_FILES_A_SECOND = 2_000
"""How many files a slow git takes in: a whole store that history has not seen yet may take as long as that."""
_PACKS = 50
_LIMIT = 64 * 1024 * 1024
_FOLDERS = ("", "index", "records", "sources", "triggers", "seals", "trust", "log", "proposals")
_PASSING = (".new-", ".lock", ".attempt")


class _Newest(Value):
    commit: str
    index_sha256: str


class GitHistory:
    """History of one store.

    Args:
        git: the repository; made when the first version is recorded.
        store: opens the store's folder for reading, for the times when the whole of it must be looked at.
    """

    def __init__(self, git: Git, store: Callable[[], contextlib.AbstractContextManager[ReadableStore]]) -> None:
        self.git = git
        self.location = git.repository
        self._store = store
        self._opened: list[GitVersion] = []

    def record(self, committed: Committed) -> None:
        """Keep what was just committed. See ``History.record``."""
        self.git.ensure()
        newest = self._newest()
        if newest is not None and newest.index_sha256 == committed.index_sha256:
            return
        if newest is not None and committed.base_sha256 == newest.index_sha256:
            with contextlib.suppress(ConflictError):
                self._add(committed, newest.commit)
                return
        elif committed.base_sha256 is None and tip(self.git, REF) is None:
            self._add(committed, None)
            return
        self.record_folder(frozenset(committed.replaces))

    def record_folder(self, without: frozenset[str] = frozenset()) -> str | None:
        """Keep the folder as it is now, if that differs from what was kept last; return the newest commit.

        Args:
            without: names that a commit under way is about to delete.

        Raises:
            StorageError: it could not be kept.
        """
        self.git.ensure()
        parent = tip(self.git, REF)
        before = tree(self.git, parent) if parent is not None else {}
        try:
            with self._store() as store:
                index = store.read(wire.PLACE, wire.MAX_BYTES)
                present = _names(store) - without
                files = _read(store, (name for name in present if not (name in before and carries_digest(name))))
                if store.read(wire.PLACE, wire.MAX_BYTES) != index:
                    raise StorageError("the store kept changing; the next commit records it", help="")
        except FaultError as fault:
            raise StorageError(f"the store could not be recorded in history: {fault}") from None
        changed = self._changed(before, {**files, wire.PLACE: index})
        gone = sorted(set(before) - present)
        if parent is not None and not changed and not gone:
            self._note(parent, sha256_hex(index))
            return parent
        return self._commit(index, parent, changed, gone)

    def versions(self) -> tuple[Kept, ...]:
        """Return what is kept, newest first. See ``History.versions``."""
        return kept(self.git, (REF,))

    def read(self, name: str, sha256: str) -> bytes | None:
        """Return old bytes by name and digest. See ``History.read``."""
        if not self.git.exists:
            return None
        listed = self.git.run(
            "log",
            "--all",
            "--format=",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "-m",
            "--",
            *(f":(top,literal){place}" for place in sorted({name, spread(name)})),
        )
        with Objects(self.git) as objects:
            for object_id in _object_ids(listed):
                data = objects.blob(object_id)
                if sha256_hex(data) == sha256:
                    return data
        return None

    def beside(self, index_sha256: str, folders: tuple[str, ...]) -> Mapping[str, bytes]:
        """Return the files of some folders of one version. See ``History.beside``."""
        found = self.find(index_sha256)
        if found is None:
            return {}
        starts = tuple(f"{folder}/" for folder in folders)
        return {name: found.read(name, _LIMIT) for name in found.files() if name.startswith(starts)}

    def open(self, kept: Kept) -> GitVersion:
        """Open one version for reading. See ``History.open``."""
        return GitVersion(self.git, kept.id)

    def can_purge(self) -> bool:
        """Whether nothing but our own branch leads to these commits. See ``History.can_purge``."""
        if not self.git.exists:
            return True
        return self.git.run("for-each-ref", "--format=%(refname)").split() in ([], [REF.encode()])

    def purge(self, names: Collection[str]) -> None:
        """Take files out of every version. See ``History.purge``."""
        if not self.git.exists or tip(self.git, REF) is None:
            return
        newest = self.newest()
        purge(self.git, REF, names)
        made = tip(self.git, REF)
        if made is not None and newest is not None:
            self._note(made, newest)

    def noted(self) -> str | None:
        """Return what ``newest`` returns without starting git; None where that is not noted."""
        newest = self._newest()
        return newest.index_sha256 if newest is not None else None

    def newest(self) -> str | None:
        """Return the digest of the index that was recorded last; None where nothing was."""
        versions = kept(self.git, ("--max-count=1", REF)) if tip(self.git, REF) is not None else ()
        return versions[0].index_sha256 if versions else None

    def find(self, index_sha256: str) -> GitVersion | None:
        """Open the newest kept version whose index has this digest, whoever made it; None where none is kept.

        Raises:
            StorageError: history cannot be read.
        """
        return self._first(
            lambda kept: kept.index_sha256 == index_sha256, lambda index: index.node.sha256 == index_sha256
        )

    def find_logged(self, version: int, log_head: str) -> GitVersion | None:
        """Open the kept version whose log ends in this event; None where none is kept.

        Raises:
            StorageError: history cannot be read.
        """
        return self._first(
            lambda kept: kept.version == version,
            lambda index: index.version == version and index.log_head == log_head,
        )

    def close(self) -> None:
        """End the processes that read."""
        while self._opened:
            self._opened.pop().close()

    def _first(self, is_named: Callable[[Kept], bool], is_it: Callable[[Index], bool]) -> GitVersion | None:
        """Messages only say where to look; the index of the commit decides."""
        for version in kept(self.git, ("--glob=refs/upheld",)):
            if is_named(version):
                found = GitVersion(self.git, version.id)
                self._opened.append(found)
                with contextlib.suppress(FaultError):
                    if is_it(wire.decode(found.read(wire.PLACE, wire.MAX_BYTES))):
                        return found
        return None

    def _add(self, committed: Committed, parent: str | None) -> None:
        gone = [name for name in committed.replaces if name not in committed.files]
        self._commit(committed.index, parent, {**committed.files, wire.PLACE: committed.index}, gone)

    def _commit(self, index: bytes, parent: str | None, files: dict[str, bytes], gone: list[str]) -> str:
        made = commit(
            self.git,
            Work(
                ref=REF,
                parent=parent,
                files=files,
                gone=gone,
                is_spread=True,
                message=message_of(index, files),
                instant=instant_of(index),
            ),
            seconds=_RECORD_SECONDS + len(files) / _FILES_A_SECOND,
        )
        self._note(made, sha256_hex(index))
        self._pack()
        return made

    def _changed(self, before: dict[str, Entry], now: dict[str, bytes]) -> dict[str, bytes]:
        with Objects(self.git) as objects:
            return {
                name: data
                for name, data in now.items()
                if name not in before or before[name].size != len(data) or objects.blob(before[name].object_id) != data
            }

    def _newest(self) -> _Newest | None:
        """Read which commit is the newest. If it is wrong, git refuses to build on it, and the folder is compared."""
        try:
            with open(self._newest_file, "rb") as file:
                values = strictjson.parse(file.read(4096), _NEWEST)
        except (OSError, FaultError):
            return None
        made, digest = values.get("commit"), values.get("index_sha256")
        if not isinstance(made, str) or not isinstance(digest, str) or not made.isalnum():
            return None
        return _Newest(commit=made, index_sha256=digest)

    def _note(self, made: str, index_sha256: str) -> None:
        from json import dumps

        temporary = f"{self._newest_file}.{secrets.token_hex(6)}"
        try:
            with open(temporary, "wb") as file:
                file.write(dumps({"commit": made, "index_sha256": index_sha256}).encode())
            os.replace(temporary, self._newest_file)
        except OSError:
            # It only saves a comparison; a stale one is found out.
            with contextlib.suppress(OSError):
                os.unlink(temporary)

    @property
    def _newest_file(self) -> str:
        return os.path.join(self.git.repository, _NEWEST)

    def _pack(self) -> None:
        """Join small packs now and then. That it fails costs nothing but space."""
        folder = os.path.join(self.git.repository, "objects", "pack")
        with contextlib.suppress(OSError, StorageError):
            if sum(name.endswith(".pack") for name in os.listdir(folder)) > _PACKS:
                self.git.run("repack", "--geometric=2", "-d", "--quiet", seconds=_RECORD_SECONDS)


def kept(git: Git, revisions: tuple[str, ...]) -> tuple[Kept, ...]:
    """Return the versions that lead to some revisions, newest first.

    Raises:
        StorageError: git failed.
    """
    if not git.exists or (revisions == (REF,) and tip(git, REF) is None):
        return ()
    listed = git.run("log", "-z", "--topo-order", "--format=%H%n%ct%n%B", *revisions, "--")
    return tuple(_kept(entry.decode("utf-8", "replace")) for entry in listed.split(b"\0") if entry.strip())


def _kept(entry: str) -> Kept:
    import time

    lines = entry.splitlines()
    named = {mark: line[len(mark) :] for mark in (VERSION, INDEX) for line in lines[2:] if line.startswith(mark)}
    version = named.get(VERSION, "")
    seconds = int(lines[1])
    return Kept(
        id=lines[0],
        version=int(version) if version.isascii() and version.isdigit() else None,
        index_sha256=named.get(INDEX, ""),
        at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)) if seconds else "",
        what=lines[2] if len(lines) > 2 else "",
    )


def _object_ids(listed: bytes) -> list[str]:
    """Take the object ids out of ``git log --raw -z``: each row is ``:modes old new status`` and then the name."""
    ids: dict[str, None] = {}
    for part in listed.split(b"\0"):
        words = part.strip().split()
        if part.lstrip().startswith(b":") and len(words) == 5:
            for object_id in (words[3], words[2]):
                if object_id.strip(b"0"):
                    ids[object_id.decode("ascii")] = None
    return list(ids)


def _names(store: ReadableStore) -> set[str]:
    """Return every file of a store's folder; what is being written, and what is no file of a store, is left out."""
    names = {name for folder in _FOLDERS for name in store.list(folder) if name not in _FOLDERS}
    return {name for name in names if not name.rpartition("/")[2].startswith(_PASSING)}


def _read(store: ReadableStore, names: Iterable[str]) -> dict[str, bytes]:
    files = {}
    for name in names:
        with contextlib.suppress(FaultError):
            files[name] = store.read(name, _LIMIT)
    return files


_: type[RecordingHistory] = GitHistory
_archive: type[Archive] = GitHistory
