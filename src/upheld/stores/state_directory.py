"""The trusted state in the user's state folder: reading. Writing stands in ``stores.state_writer``.

``paths/<mark>`` says which place a real path was pinned as, and ``places/<mark>.json`` holds the state of a place. A
path once pinned stays pinned: it is looked up before git is asked, so nothing planted in the work tree can move it.
"""

from __future__ import annotations

import os
import stat

from upheld.errors import FaultError
from upheld.stores.place import mark_of, place_of
from upheld.wire import trusted as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.trusted import Trusted

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class StateReader:
    """The state of the store in ``path``, below the state folder ``root``."""

    def __init__(self, root: str, path: str) -> None:
        self.root = root
        self.path = path
        self._place: str | None = None
        self._decoded: tuple[bytes, Trusted] | None = None

    @property
    def place(self) -> str:
        """The place that the store's path is pinned as, or would be."""
        if self._place is None:
            self._place = pinned_place(self.root, self.path) or place_of(self.path)
        return self._place

    @property
    def file(self) -> str:
        """The state file."""
        return os.path.join(self.root, "places", mark_of(self.place) + ".json")

    def knows_store(self, store_id: str) -> bool:
        """Say whether a store is pinned anywhere here. See ``TrustedState.knows_store``."""
        return os.path.lexists(store_file(self.root, store_id))

    def seen_here(self) -> str:
        """Return what was last accepted in this folder. See ``TrustedState.seen_here``."""
        try:
            return _path_entry(self.root, self.path)[1]
        except FaultError:
            return ""

    def load(self) -> Trusted | None:
        """Read the state. See ``TrustedState.load``."""
        if not os.path.isdir(os.path.join(self.root, "places")):
            return None
        data = read_private(self.file, wire.MAX_BYTES)
        if data is None:
            if pinned_place(self.root, self.path):
                raise FaultError("RBK005", self.file, detail="this path was pinned, and its state is gone")
            return None
        if self._decoded is None or self._decoded[0] != data:  # read afresh; decoded once while it is the same
            self._decoded = data, self._decode(data)
        return self._decoded[1]

    def _decode(self, data: bytes) -> Trusted:
        try:
            state = wire.decode(data, self.file)
        except FaultError as fault:
            raise FaultError("RBK005", self.file, path=fault.path, detail=f"{fault.code} {fault.detail}") from None
        if state.place != self.place:
            raise FaultError("RBK005", self.file, detail="it is the state of another place")
        return state


def is_pinned_at(root: str, path: str) -> bool:
    """Whether a store is pinned at a path, by the path itself or by its place in a repository.

    A state that cannot be trusted counts as a pin: the read that follows says what is wrong with it.
    """
    if not os.path.isdir(os.path.join(root, "paths")):
        return False
    try:
        if pinned_place(root, path):
            return True
    except FaultError:
        return True
    in_repository = os.path.lexists(os.path.join(os.path.dirname(path), ".git"))
    return in_repository and os.path.lexists(os.path.join(root, "places", mark_of(place_of(path)) + ".json"))


def store_file(root: str, store_id: str) -> str:
    """Return the file that says a store is pinned somewhere on this machine."""
    return os.path.join(root, "stores", mark_of(store_id))


def pinned_place(root: str, path: str) -> str:
    """Return the place that a real path was pinned as, or nothing.

    Raises:
        FaultError: RBK005, the entry cannot be trusted.
    """
    return _path_entry(root, path)[0]


def path_file(root: str, path: str) -> str:
    """Return the file that says what a real path was pinned as, and which index was last accepted in its folder."""
    return os.path.join(root, "paths", mark_of(os.path.realpath(path)))


def _path_entry(root: str, path: str) -> tuple[str, str]:
    """Read that file: the place, and after a NUL, which no path can hold, the digest of the index."""
    place, _, digest = (read_private(path_file(root, path), wire.MAX_BYTES) or b"").partition(b"\0")
    return os.fsdecode(place), digest.decode("ascii", "replace")


def read_private(path: str, limit: int) -> bytes | None:
    """Read a file that only this user can have written; None where there is none.

    Raises:
        FaultError: RBK005, it is unreadable, a link, has a second name, or others could write it or its folder.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FaultError("RBK005", path, detail=os.strerror(error.errno or 0)) from None
    try:
        status = os.fstat(descriptor)
        complaint = _complaint(status) or _folder_complaint(os.path.dirname(path))
        if not complaint and status.st_size > limit:
            complaint = "it is too large"
        if complaint:
            raise FaultError("RBK005", path, detail=complaint)
        return os.read(descriptor, limit)
    except OSError as error:
        raise FaultError("RBK005", path, detail=os.strerror(error.errno or 0)) from None
    finally:
        os.close(descriptor)


def _complaint(status: os.stat_result) -> str:
    if not stat.S_ISREG(status.st_mode):
        return "it is not a regular file"
    if hasattr(os, "geteuid"):
        if status.st_uid not in (os.geteuid(), 0):
            return "it belongs to another user"
        if status.st_mode & 0o022:
            return "others may write it"
        if status.st_nlink > 1:
            return "it has a second name (a hard link)"
    return ""


def _folder_complaint(folder: str) -> str:
    if not hasattr(os, "geteuid"):
        return ""
    status = os.stat(folder)
    if status.st_uid not in (os.geteuid(), 0) or status.st_mode & 0o022:
        return "others may write its folder"
    return ""
