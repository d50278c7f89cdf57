"""The trusted state in the user's state folder: writing.

Every file is 0600 in a folder of 0700, written beside its place, fsynced and renamed. The bytes behind a head stand in
a file that is named after it, and are written first, so that a state never names bytes that are not there.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress

from upheld.errors import ConflictError, FaultError, StorageError
from upheld.model.trusted import Accepted, Trusted
from upheld.ports.trusted_state import TrustedState
from upheld.stores.lock import locked
from upheld.stores.place import mark_of, place_of
from upheld.stores.state_directory import StateReader, path_file, pinned_place, read_private, store_file
from upheld.wire import strictjson
from upheld.wire import trusted as wire
from upheld.wire.digest import sha256_hex
from upheld.wire.trie import encode as encode_fields

_LOCK_SECONDS = 5.0
_LIMIT = 16 * 1024 * 1024
_FOLDERS = ("places", "paths", "stores", "accepted")


class StateDirectory(StateReader):
    """The state of the store in ``path``, below the state folder ``root``, for reading and writing."""

    def accepted(self) -> Accepted:
        """Read the bytes behind the head. See ``TrustedState.accepted``."""
        state = self.load()
        while True:
            try:
                return self._accepted(state)
            except FaultError:
                # Another process may have moved the state between the two reads, and removed what stood behind it.
                before, state = state, self.load()
                if state == before:
                    raise

    def _accepted(self, state: Trusted | None) -> Accepted:
        if state is None or state.head is None:
            raise FaultError("RBK005", self.file, detail="nothing is accepted here")
        path = self._accepted_file(state.head.sha256)
        data = read_private(path, _LIMIT)
        if data is None:
            raise FaultError("RBK005", path, detail="it is missing")
        fields = strictjson.parse(data, path, limit=_LIMIT)
        seals = fields.get("seals")
        made = Accepted(
            index=_bytes(fields.get("index")),
            seals={name: _bytes(text) for name, text in seals.items()} if isinstance(seals, dict) else {},
            root=_bytes(fields.get("root")),
        )
        if sha256_hex(made.index) != state.head.sha256 or sha256_hex(made.root) != state.root_sha256:
            raise FaultError("RBK005", path, detail="it does not match the state")
        return made

    def save(self, state: Trusted, accepted: Accepted | None) -> None:
        """Write the state. See ``TrustedState.save``."""
        try:
            self._make_folders()
            with locked(os.path.join(self.root, "places", mark_of(self.place) + ".lock"), _LOCK_SECONDS):
                old = self._load_or_none()
                if (old.revision if old is not None else 0) != state.revision:
                    raise ConflictError("another process has moved the trusted state meanwhile", help="try again")
                self._write(state.replace(revision=state.revision + 1), accepted, old)
        except OSError as error:
            raise StorageError(f"the trusted state cannot be written: {os.strerror(error.errno or 0)}") from None

    def forget(self) -> None:
        """Remove all that is remembered of the place and of every path to it. See ``TrustedState.forget``."""
        state = self._load_or_none()
        places = self._places()
        names = [path_file(self.root, self.path), *(self._place_file(place) for place in places)]
        names += _paths_pinned_as(self.root, places)
        if state is not None and state.head is not None:
            names.append(self._accepted_file(state.head.sha256))
        if state is not None and state.store_id:
            names.append(store_file(self.root, state.store_id))
        self._place = None
        try:
            self._reclaim_folders()
            for name in names:
                _remove(name)
        except OSError as error:
            raise StorageError(f"the trusted state cannot be removed: {os.strerror(error.errno or 0)}") from None

    def _places(self) -> set[str]:
        """The place that the path is pinned as, where that can still be read, and the one it would be pinned as."""
        places = {place_of(self.path)}
        with suppress(FaultError):
            places.add(pinned_place(self.root, self.path))
        return places - {""}

    def _place_file(self, place: str) -> str:
        return os.path.join(self.root, "places", mark_of(place) + ".json")

    def _reclaim_folders(self) -> None:
        """Folders that others may write make every state in them unusable; whoever pins anew closes them."""
        for name in _FOLDERS:
            folder = os.path.join(self.root, name)
            if os.path.isdir(folder):
                os.chmod(folder, 0o700)

    def keep_evidence(self, name: str, evidence: Mapping[str, object]) -> str:
        """Keep evidence in a file. See ``TrustedState.keep_evidence``."""
        folder = os.path.join(self.root, "evidence")
        path = os.path.join(folder, name)
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            write_private(path, encode_fields(evidence))
        except OSError as error:
            raise StorageError(f"evidence cannot be kept: {os.strerror(error.errno or 0)}") from None
        return path

    def _write(self, state: Trusted, accepted: Accepted | None, old: Trusted | None) -> None:
        if accepted is not None and state.head is not None:
            fields = {
                "index": accepted.index.decode("utf-8"),
                "seals": {name: data.decode("utf-8", "replace") for name, data in accepted.seals.items()},
                "root": accepted.root.decode("utf-8"),
            }
            write_private(self._accepted_file(state.head.sha256), encode_fields(fields))
        write_private(self.file, wire.encode(state))
        seen = state.head.sha256 if accepted is not None and state.head is not None else self.seen_here()
        write_private(path_file(self.root, self.path), os.fsencode(self.place) + b"\0" + seen.encode("ascii"))
        if state.store_id:
            write_private(store_file(self.root, state.store_id), os.fsencode(self.place))
        if old is not None and old.head is not None and state.head is not None and old.head != state.head:
            _remove(self._accepted_file(old.head.sha256))

    def _load_or_none(self) -> Trusted | None:
        """Pinning again is how a person mends an unusable state, so that must not stand in its way."""
        try:
            return self.load()
        except FaultError:
            return None

    def _accepted_file(self, digest: str) -> str:
        return os.path.join(self.root, "accepted", f"{mark_of(self.place)}.{digest[:16]}.json")

    def _make_folders(self) -> None:
        for name in ("", *_FOLDERS):
            os.makedirs(os.path.join(self.root, name), mode=0o700, exist_ok=True)


def write_private(path: str, data: bytes) -> None:
    """Write a file whole and durable, readable by this user alone; left alone where it holds these bytes already."""
    try:
        if read_private(path, _LIMIT) == data:
            return
    except FaultError:
        pass
    temporary = f"{path}.{secrets.token_hex(6)}.new"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise
    sync_folder(os.path.dirname(path))


def sync_folder(folder: str) -> None:
    """Make the names in a folder durable. Windows keeps names durable by itself and has no such call."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _bytes(text: object) -> bytes:
    return text.encode("utf-8") if isinstance(text, str) else b""


def _paths_pinned_as(root: str, places: Collection[str]) -> list[str]:
    """Return the files of every path that was pinned as one of some places: other work trees of one repository."""
    folder = os.path.join(root, "paths")
    found = []
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        try:
            data = read_private(os.path.join(folder, name), wire.MAX_BYTES) or b""
        except FaultError:
            continue  # not to be trusted, so not to be followed either
        if os.fsdecode(data.partition(b"\0")[0]) in places:
            found.append(os.path.join(folder, name))
    return found


_: type[TrustedState] = StateDirectory
