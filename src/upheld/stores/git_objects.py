"""Read blobs of a bare repository, all of one reader through one process."""

from __future__ import annotations

import contextlib
import subprocess
from typing import Self

from upheld.errors import StorageError
from upheld.model.value import Value
from upheld.stores.git_plumbing import Git
from upheld.stores.git_process import Deadline, end, started
from upheld.stores.git_spread import name_of

_SECONDS = 600.0
PLAIN = (b"100644", b"100755")


class Entry(Value):
    """One file of a tree: its object id, its size in bytes, and whether it is a regular file."""

    object_id: str
    size: int
    is_plain: bool


class Objects:
    """Blobs by object id. The process starts with the first read and ends with ``close``."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._open = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._clock: Deadline | None = None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            end(self._process, is_group=True)
        self._process = None
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def blob(self, object_id: str) -> bytes:
        """Return one blob.

        Raises:
            StorageError: it is missing, is no blob, or git gave up.
        """
        process = self._running()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both ends are pipes")
        try:
            process.stdin.write(object_id.encode("ascii") + b"\n")
            process.stdin.flush()
            header = process.stdout.readline(256).split()
            if len(header) != 3 or header[1] != b"blob":
                raise StorageError(f"git has no blob {object_id[:12]}: {header[1:2] and header[1].decode('ascii')}")
            data = process.stdout.read(int(header[2]))
            process.stdout.read(1)
        except (OSError, ValueError) as error:
            self.close()
            raise StorageError(f"git stopped while an object was read: {error}") from None
        if len(data) != int(header[2]):
            self.close()
            raise StorageError("git stopped while an object was read")
        return data

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            call = self._git.call("cat-file", "--batch", seconds=_SECONDS)
            self._open = contextlib.ExitStack()
            self._process, self._clock = self._open.enter_context(started(call, subprocess.PIPE, subprocess.DEVNULL))
        return self._process


def tree(git: Git, commit: str) -> dict[str, Entry]:
    """Return every file of a commit's tree by name, wherever it lies; a spread place goes before an earlier one.

    A name that is not UTF-8 keeps its odd bytes as surrogates.

    Raises:
        StorageError: the commit is not there.
    """
    listed = git.run("ls-tree", "-r", "-z", "-l", "--full-tree", "--end-of-options", commit)
    entries: dict[str, Entry] = {}
    for row in listed.split(b"\0")[:-1]:
        about, _, path_bytes = row.partition(b"\t")
        mode, kind, object_id, size = about.split()
        is_plain = mode in PLAIN and kind == b"blob"
        path = path_bytes.decode("utf-8", "surrogateescape")
        name = name_of(path)
        if name != path or name not in entries:
            entries[name] = Entry(
                object_id=object_id.decode("ascii"), size=int(size) if is_plain else 0, is_plain=is_plain
            )
    return entries
