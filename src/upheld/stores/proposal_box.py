"""The folder of proposals in a store. Writing there takes no lock and no key, and never touches what a commit does.

A new proposal is written beside its place, made durable and then given its name, which must be free: whoever reads the
folder sees whole files only, and two proposers never share one.
"""

from __future__ import annotations

import os
import secrets

from upheld.errors import FaultError, NoStoreError, StorageError
from upheld.stores.directory_writer import TEMPORARY
from upheld.stores.disk import Disk
from upheld.stores.files import Files
from upheld.wire import proposal as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

_SUFFIX = ".json"


class ProposalBox:
    """The proposals of the store in ``path``.

    Args:
        path: the store's folder; it must exist.
        disk: what the folder is written through; the real disk unless a test brings another.

    Raises:
        NoStoreError: there is no such folder.
    """

    def __init__(self, path: str, disk: Disk | None = None) -> None:
        try:
            self._files = Files(path)
        except OSError as error:
            raise NoStoreError(f"no store at {path}: {os.strerror(error.errno or 0)}") from None
        self._disk = disk or Disk(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()
        self._disk.close()

    def ids(self) -> tuple[str, ...]:
        """Return the ids of the files that can be proposals, sorted.

        Raises:
            FaultError: the folder is a link or cannot be read.
        """
        leaves = [name.rpartition("/")[2] for name in self._files.list(wire.FOLDER)]
        found = [leaf.removesuffix(_SUFFIX) for leaf in leaves if leaf.endswith(_SUFFIX)]
        return tuple(sorted(name for name in found if wire.is_id(name)))

    def read(self, proposal_id: str) -> bytes:
        """Return the bytes of one proposal.

        Raises:
            FaultError: STO001 where there is none; STO002-STO006.
        """
        if not wire.is_id(proposal_id):
            raise FaultError("STO002", wire.FOLDER, detail="that is no proposal's id")
        return self._files.read(wire.name_of(proposal_id), wire.MAX_BYTES)

    def put_new(self, proposal_id: str, data: bytes) -> None:
        """Add one proposal, durable when this returns.

        Raises:
            FaultError: the id cannot be one.
            StorageError: the disk failed, or the name is taken.
        """
        if not wire.is_id(proposal_id):
            raise FaultError("STO002", wire.FOLDER, detail="that is no proposal's id")
        self._write(data, lambda temporary: self._disk.publish(temporary, wire.name_of(proposal_id)))

    def replace(self, proposal_id: str, data: bytes) -> None:
        """Put other bytes in the place of a proposal, whole or not at all.

        Raises:
            StorageError: the disk failed.
        """
        self._write(data, lambda temporary: self._disk.replace(temporary, wire.name_of(proposal_id)))

    def delete(self, proposal_id: str) -> None:
        """Remove one proposal; one that is gone already is no fault.

        Raises:
            StorageError: the disk failed.
        """
        try:
            self._disk.remove(wire.name_of(proposal_id))
            self._disk.sync_folder(wire.FOLDER)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(f"the proposal could not be removed: {os.strerror(error.errno or 0)}") from None

    def _write(self, data: bytes, publish: Callable[[str], None]) -> None:
        temporary = f"{wire.FOLDER}/{TEMPORARY}{secrets.token_hex(8)}"
        is_made = False
        try:
            if self._disk.make_folder(wire.FOLDER):
                self._disk.sync_folder("")
            descriptor = self._disk.write_new(temporary, data, 0o644)
            is_made = True
            self._disk.sync_and_close(descriptor)
            publish(temporary)
            self._disk.sync_folder(wire.FOLDER)
        except OSError as error:
            if is_made:
                self._drop(temporary)
            reason = os.strerror(error.errno or 0)
            raise StorageError(f"the proposal could not be written: {reason}; nothing was changed") from None

    def _drop(self, temporary: str) -> None:
        try:
            self._disk.remove(temporary)
        except OSError:
            return
