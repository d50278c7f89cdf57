"""A disk that does what it is told and writes down every operation that a crash could undo."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from upheld.model.value import Value
from upheld.stores.disk import Disk

Kind = Literal["mkdir", "data", "link", "unlink", "rename", "sync-file", "sync-folder"]


class Operation(Value):
    """One operation.

    Attributes:
        kind: what was done. ``data`` gives a file its bytes, ``link`` gives a file a name.
        inode: which file, by a number of its own, so that names can come and go; -1 where the operation is of a name.
        name: the name, or the folder that was synced. other: for ``rename``, the name before.
        bytes: for ``data``, all bytes.
    """

    kind: Kind
    name: str = ""
    other: str = ""
    inode: int = -1
    bytes: bytes = b""

    @property
    def folder(self) -> str:
        """The folder whose names this changes, or that it syncs."""
        return self.name if self.kind == "sync-folder" else self.name.rpartition("/")[0]


class RecordingDisk(Disk):
    """Writes for real, below ``root``, without waiting for the hardware, and keeps a trace.

    Files that stand there already get numbers from 0 up, in the order of their names.
    """

    def __init__(self, root: str, first_inode: int = 1000) -> None:
        super().__init__(root)
        self.trace: list[Operation] = []
        self._next = first_inode
        self._inodes: dict[str, int] = {}
        self._open: dict[int, int] = {}

    def make_folder(self, folder: str) -> bool:
        made = super().make_folder(folder)
        if made:
            self.trace.append(Operation(kind="mkdir", name=folder))
        return made

    def write_new(self, name: str, data: bytes, mode: int) -> int:
        descriptor = super().write_new(name, data, mode)
        self._inodes[name] = self._open[descriptor] = self._next
        self.trace.append(Operation(kind="link", name=name, inode=self._next))
        self.trace.append(Operation(kind="data", name=name, inode=self._next, bytes=data))
        self._next += 1
        return descriptor

    def sync_and_close(self, descriptor: int) -> None:
        os.close(descriptor)
        inode = self._open.pop(descriptor, None)
        if inode is not None:  # else a file that stood there before the trace: what it holds is durable
            self.trace.append(Operation(kind="sync-file", inode=inode))

    def sync_file(self, name: str) -> None:
        self.trace.append(Operation(kind="sync-file", inode=self._inodes.get(name, -1), name=name))

    def publish(self, temporary: str, name: str) -> None:
        super().publish(temporary, name)
        inode = self._inodes.get(temporary, -1)
        self._inodes[name] = inode
        self.trace.append(Operation(kind="link", name=name, inode=inode))
        self.trace.append(Operation(kind="unlink", name=temporary))

    def replace(self, temporary: str, name: str) -> None:
        super().replace(temporary, name)
        self._inodes[name] = self._inodes.pop(temporary)
        self.trace.append(Operation(kind="rename", name=name, other=temporary, inode=self._inodes[name]))

    def remove(self, name: str) -> None:
        super().remove(name)
        self.trace.append(Operation(kind="unlink", name=name))

    def sync_folder(self, folder: str) -> None:
        self.trace.append(Operation(kind="sync-folder", name=folder))


Contents = dict[str, bytes]
"""The files of a folder by name."""


def read_all(place: Path) -> Contents:
    """Return every file below ``place`` but the lock, which is always empty."""
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
