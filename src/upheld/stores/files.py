"""Reads below one directory that nothing can lead astray (DESIGN section 3, "Reads").

Each step of a path is opened from the descriptor of the step before, never following a link and never blocking; type
and size come from the descriptor that is read; the bytes returned are all that is ever looked at. Where the platform
has no ``openat`` (Windows), steps are checked with ``lstat`` before and the descriptor after opening: that is weaker
against somebody who swaps a folder in between, and docs/explanation/platforms.md says so.
"""

from __future__ import annotations

import errno
import os
import stat

from upheld.errors import FaultError
from upheld.model.names import MAX_COMPONENT, is_plain, unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Iterator
    from typing import Self

HAS_OPENAT = (
    os.open in os.supports_dir_fd
    and os.stat in os.supports_dir_fd
    and os.scandir in os.supports_fd
    and hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "O_DIRECTORY")
)
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_NAMES = 1024
"""How many names of a folder are held at a time where all of them are wanted."""


class Files:
    """Bounded reads below ``root``, which may itself be reached through links: the caller named it."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._folders: dict[str, int] = {}
        if HAS_OPENAT:
            self._folders[""] = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        """Close the folders that were kept open."""
        while self._folders:
            close_quietly(self._folders.popitem()[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, name: str, limit: int) -> bytes:
        """Return the whole of one regular file of at most ``limit`` bytes.

        Raises:
            FaultError: STO001-STO006.
        """
        folder, _, leaf = name.rpartition("/")
        # A folder that is open was judged when it was opened; then only the last step is new.
        if folder not in self._folders or len(name) > MAX_COMPONENT or not is_plain(leaf):
            reason = unsafe(name)
            if reason:
                raise FaultError("STO002", shown(name), detail=reason)
        try:
            descriptor = self._open(name)
        except OSError as error:
            raise self._fault(error, name) from None
        try:
            return _read(descriptor, name, limit)
        except OSError as error:
            raise self._fault(error, name) from None
        finally:
            close_quietly(descriptor)

    def reader(self, folder: str, limit: int) -> Callable[[str], bytes | None]:
        """Return a function that reads what stands directly in ``folder``. See ``ReadsFolders.reader``."""
        try:
            if HAS_OPENAT:
                from upheld.stores.folder_reader import folder_reader  # deferred: no recall reads a whole folder

                return folder_reader(self._folder(folder), limit, _FLAGS)
        except OSError:
            pass
        return _refuse

    def list(self, folder: str) -> tuple[str, ...]:
        """Return the names in one folder, sorted, as ``folder/name``; empty where the folder is missing."""
        return tuple(
            sorted(f"{folder}/{name}" if folder else name for some, _ in self.listing(folder) for name in some)
        )

    def listing(self, folder: str) -> Iterator[tuple[builtins.list[str], bool]]:
        """List one folder, which may be missing. See ``ReadsFolders.listing``."""
        names: builtins.list[str] = []
        are_regular = True
        try:
            with os.scandir(self._folder(folder) if HAS_OPENAT else self._checked(folder, is_folder=True)) as entries:
                for entry in entries:
                    names.append(entry.name)
                    are_regular = are_regular and entry.is_file(follow_symlinks=False)
                    if len(names) == _NAMES:
                        yield names, are_regular
                        names, are_regular = [], True
        except FileNotFoundError:
            return
        except OSError as error:
            raise self._fault(error, folder) from None
        yield names, are_regular

    def _open(self, name: str) -> int:
        if not HAS_OPENAT:
            return os.open(self._checked(name, is_folder=False), _FLAGS)
        folder, _, leaf = name.rpartition("/")
        return os.open(leaf, _FLAGS, dir_fd=self._folder(folder))

    def _folder(self, folder: str) -> int:
        known = self._folders.get(folder)
        if known is not None:
            return known
        parent, _, leaf = folder.rpartition("/")
        descriptor = os.open(leaf, _FLAGS | os.O_DIRECTORY, dir_fd=self._folder(parent))
        self._folders[folder] = descriptor
        return descriptor

    def _checked(self, name: str, *, is_folder: bool) -> str:
        """The weaker way: judge every step by ``lstat`` before opening."""
        path = self.root
        steps = name.split("/") if name else []
        for number, step in enumerate(steps):
            path = os.path.join(path, step)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                raise OSError(errno.ELOOP, "a link")
            if (is_folder or number < len(steps) - 1) and not stat.S_ISDIR(mode):
                raise OSError(errno.ENOTDIR, "not a folder")
        return path

    def _fault(self, error: OSError, name: str) -> FaultError:
        place = shown(name)
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            return self._fault_of_step(name, place)
        if error.errno == errno.ENOENT:
            return FaultError("STO001", place)
        if error.errno in (errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP):
            return FaultError("STO004", place)
        if error.errno in (errno.ENAMETOOLONG, errno.EINVAL):
            return FaultError("STO002", place, detail=os.strerror(error.errno))
        return FaultError("STO006", place, detail=os.strerror(error.errno or 0))

    def _fault_of_step(self, name: str, place: str) -> FaultError:
        """Tell a link from a plain file that stands where a folder should (only to word the refusal)."""
        path = self.root
        for step in name.split("/"):
            path = os.path.join(path, step)
            try:
                mode = os.lstat(path).st_mode
            except OSError:
                break
            if stat.S_ISLNK(mode):
                return FaultError("STO003", place, detail=f"{shown(step)} is a link")
        return FaultError("STO004", place, detail="a step of the path is not a folder")


def _read(descriptor: int, name: str, limit: int) -> bytes:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise FaultError("STO004", shown(name), detail=_kind(status.st_mode))
    if status.st_size > limit:
        raise FaultError("STO005", shown(name), detail=f"{status.st_size} bytes, at most {limit} are read")
    # One byte more than the size shows a file that grows while it is read; a short read is continued.
    wanted = status.st_size + 1
    data = os.read(descriptor, wanted)
    if len(data) == status.st_size:
        return data
    parts = [data]
    total = len(data)
    while parts[-1] and total <= limit:
        parts.append(os.read(descriptor, limit + 1 - total))
        total += len(parts[-1])
    if total > limit:
        raise FaultError("STO005", shown(name), detail=f"it grew past {limit} bytes")
    return b"".join(parts)


def _refuse(leaf: str) -> None:
    """Read nothing: the general way says why, or knows how."""


def _kind(mode: int) -> str:
    for test, kind in (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    ):
        if test(mode):
            return kind
    return "not a regular file"


def close_quietly(descriptor: int) -> None:
    """Close what was only read or locked: an error then says nothing about any byte, and must not undo a success."""
    try:
        os.close(descriptor)
    except OSError:
        return


def shown(name: str) -> str:
    """Make a name safe to show: bounded, and with nothing that a terminal would act on."""
    safe = "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in name)
    return safe if len(safe) <= 200 else safe[:199] + "…"
