"""The few things a directory store asks of a disk, one method a system call, all below one directory.

Separate from the protocol that uses it, so that a test can record the calls and enumerate what a crash may leave of
them (tests/crash). Every folder is opened without following links and kept open.
"""

from __future__ import annotations

import errno
import os

from upheld.stores.files import close_quietly

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
HAS_OPENAT = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")


class Disk:
    """Writes below ``root``. Names are relative, with forward slashes, and were judged safe by the caller."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._folders: dict[str, int] = {}

    def close(self) -> None:
        """Close the folders that were kept open."""
        while self._folders:
            close_quietly(self._folders.popitem()[1])

    def make_folder(self, folder: str) -> bool:
        """Make one folder; return whether it was not there before."""
        try:
            if HAS_OPENAT and folder:
                parent, leaf = self._at(folder)
                os.mkdir(leaf, 0o755, dir_fd=parent)
            else:
                os.mkdir(self._path(folder), 0o755)
        except FileExistsError:
            return False
        return True

    def write_new(self, name: str, data: bytes, mode: int) -> int:
        """Make one file that must not exist, write all of ``data``, and return its open descriptor."""
        if HAS_OPENAT:
            parent, leaf = self._at(name)
            descriptor = os.open(leaf, _NEW, mode, dir_fd=parent)
        else:
            descriptor = os.open(self._path(name), _NEW, mode)
        try:
            rest = memoryview(data)
            while rest:
                written = os.write(descriptor, rest)
                if not written:  # a disk that takes nothing and reports nothing must not hold the lock for ever
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                rest = rest[written:]
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def sync_and_close(self, descriptor: int) -> None:
        """Make a file's bytes durable. An error here ends the attempt: the kernel may report it only once."""
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def sync_file(self, name: str) -> None:
        """Make the bytes of a file durable that somebody else has written."""
        if HAS_OPENAT:
            parent, leaf = self._at(name)
            self.sync_and_close(os.open(leaf, _READ, dir_fd=parent))

    def publish(self, temporary: str, name: str) -> None:
        """Give a file its name, which must be free, and take its temporary name away.

        Raises:
            FileExistsError: the name is taken.
        """
        if not HAS_OPENAT:
            os.rename(self._path(temporary), self._path(name))  # Windows refuses a name that is taken
            return
        (from_parent, from_leaf), (to_parent, to_leaf) = self._at(temporary), self._at(name)
        try:
            os.link(from_leaf, to_leaf, src_dir_fd=from_parent, dst_dir_fd=to_parent, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            # The lock keeps other writers of ours away between the two calls.
            if self.exists(name):
                raise FileExistsError(name) from error
            os.rename(from_leaf, to_leaf, src_dir_fd=from_parent, dst_dir_fd=to_parent)
            return
        os.unlink(from_leaf, dir_fd=from_parent)

    def replace(self, temporary: str, name: str) -> None:
        """Give a file its name, atomically taking the place of what bore it."""
        if HAS_OPENAT:
            (from_parent, from_leaf), (to_parent, to_leaf) = self._at(temporary), self._at(name)
            os.replace(from_leaf, to_leaf, src_dir_fd=from_parent, dst_dir_fd=to_parent)
        else:
            os.replace(self._path(temporary), self._path(name))

    def remove(self, name: str) -> None:
        """Remove one file."""
        if HAS_OPENAT:
            parent, leaf = self._at(name)
            os.unlink(leaf, dir_fd=parent)
        else:
            os.unlink(self._path(name))

    def exists(self, name: str) -> bool:
        """Whether anything, a link included, bears the name."""
        try:
            if HAS_OPENAT:
                parent, leaf = self._at(name)
                os.lstat(leaf, dir_fd=parent)
            else:
                os.lstat(self._path(name))
        except FileNotFoundError:
            return False
        return True

    def sync_folder(self, folder: str) -> None:
        """Make the names in one folder durable. Windows keeps names durable by itself and has no such call."""
        if HAS_OPENAT:
            os.fsync(self._folder(folder))

    def _at(self, name: str) -> tuple[int, str]:
        folder, _, leaf = name.rpartition("/")
        return self._folder(folder), leaf

    def _folder(self, folder: str) -> int:
        known = self._folders.get(folder)
        if known is None:
            if folder:
                parent, leaf = self._at(folder)
                known = os.open(leaf, _FOLDER, dir_fd=parent)
            else:
                known = os.open(self.root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
            self._folders[folder] = known
        return known

    def _path(self, name: str) -> str:
        return os.path.join(self.root, *name.split("/")) if name else self.root
