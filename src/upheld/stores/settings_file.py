"""A settings file that belongs to somebody else: read, replaced in one step, and copied aside before a change.

A link is followed, as people keep their settings in a folder of their own and link to it: the file that it leads to is
replaced, and the link stays. The mode stays, and a file that changed in between is left alone.
"""

from __future__ import annotations

import contextlib
import os
import stat

from upheld.errors import ConflictError, StorageError, UsageError

LIMIT = 32 * 1024 * 1024
_COPY = ".before-upheld"
_MOST = 100


class SettingsFile:
    """One file at a path, which need not be there.

    Args:
        path: as the client knows it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.real = os.path.realpath(path)

    def read(self) -> bytes | None:
        """Return its bytes; None where there is none.

        Raises:
            UsageError: it is no regular file, or too big to be settings.
            StorageError: it cannot be read.
        """
        try:
            descriptor = os.open(self.real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"{self.path} cannot be read: {os.strerror(error.errno or 0)}") from None
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LIMIT:
                raise UsageError(f"{self.path} is no settings file: it is left alone")
            return file.read()

    def replace(self, expected: bytes | None, data: bytes | None) -> None:
        """Write other bytes, or with None take the file away.

        Raises:
            ConflictError: it is no longer what was expected.
            StorageError: it cannot be written; it is what it was.
        """
        if self.read() != expected:
            raise ConflictError(f"{self.path} changed meanwhile, so nothing was written to it", help="run it again")
        try:
            if data is None:
                os.unlink(self.real)
            else:
                self._write(self.real, data, self._mode())
        except OSError as error:
            raise StorageError(f"{self.path} cannot be written: {os.strerror(error.errno or 0)}") from None

    def copies(self) -> list[tuple[str, bytes]]:
        """Return the copies that stand beside it, with their bytes, the oldest first."""
        found = []
        for path in self._copy_paths():
            data = SettingsFile(path).read() if not os.path.islink(path) else None
            if data is None:
                break
            found.append((path, data))
        return found

    def keep(self, data: bytes) -> str:
        """Write a copy beside it and return where; one with the same bytes is enough.

        Raises:
            StorageError: it cannot be written.
        """
        for path, kept in self.copies():
            if kept == data:
                return path
        for path in self._copy_paths():
            try:
                self._create(path, data, self._mode())
            except FileExistsError:
                continue
            except OSError as error:
                raise StorageError(f"{path} cannot be written: {os.strerror(error.errno or 0)}") from None
            return path
        raise StorageError(f"{self.path} has {_MOST} copies already", help=f"remove old ones: {self.real}{_COPY}*")

    def _copy_paths(self) -> list[str]:
        return [f"{self.real}{_COPY}", *(f"{self.real}{_COPY}-{number}" for number in range(2, _MOST))]

    def _mode(self) -> int:
        try:
            return stat.S_IMODE(os.stat(self.real).st_mode)
        except OSError:
            umask = os.umask(0o077)
            os.umask(umask)
            return 0o666 & ~umask

    def _write(self, path: str, data: bytes, mode: int) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.{os.getpid()}.upheld-new"
        try:
            self._create(temporary, data, mode)
            os.replace(temporary, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise

    def _create(self, path: str, data: bytes, mode: int) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
