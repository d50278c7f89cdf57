"""Put a whole version into a store's folder, by the commit protocol: new files first, the index last."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.errors import CommitUnknownError, ConflictError, FaultError
from upheld.ports.history import WholeVersion
from upheld.ports.store import ReadableStore, WritableStore
from upheld.services.commit import LOCK_SECONDS
from upheld.services.named import named
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex

_LIMIT = 16 * 1024 * 1024
_KEPT = ("proposals",)
"""What is not the version's to take away: nobody published it."""
_PEOPLES = ("README.md", ".gitattributes")
"""Written where they are missing; somebody's own edits of them stay."""


def install(
    version: WholeVersion, store: WritableStore, expected: str | None, replaces: WholeVersion | None = None
) -> bool:
    """Make a folder hold exactly this version; return whether anything had to be done.

    Args:
        version: what to put there. It was verified.
        store: the folder.
        expected: the digest of the index that stands there; None where there is none.
        replaces: the version that stands there, where it is known: what only that one names is taken away.

    Raises:
        ConflictError: the folder moved on meanwhile, or a file in it was changed by hand.
        StorageError: the disk failed; the folder holds what it held.
    """
    with store.lock(LOCK_SECONDS):
        store.settle(lambda: named(store))
        if _index_sha256(store) != expected:
            raise ConflictError("the store was changed while this ran", help="run `upheld sync` again")
        index = version.read(wire.PLACE, wire.MAX_BYTES)
        wanted = set(version.files()) - {wire.PLACE}
        present = _present(store, _folders(wanted) | _folders(replaces.files() if replaces is not None else ()))
        missing = {
            name: version.read(name, _LIMIT)
            for name in sorted(wanted)
            if not (name in _PEOPLES and name in present) and not _stands(version, store, name, present)
        }
        if sha256_hex(index) == expected:
            store.put_all(missing)
            return bool(missing)
        old = set(replaces.files()) if replaces is not None else set()
        superfluous = sorted(name for name in (old & present) - wanted if _is_ours(name))
        store.put_all(missing, index=index, replaces=superfluous)
        try:
            store.swap(index, expected)
        except CommitUnknownError:
            if _index_sha256(store) != sha256_hex(index):
                raise
        store.delete(superfluous)
    return True


def _folders(names: Iterable[str]) -> set[str]:
    return {name.rpartition("/")[0] for name in names}


def _present(store: ReadableStore, folders: set[str]) -> set[str]:
    return {name for folder in folders for name in store.list(folder)}


def _stands(version: WholeVersion, store: ReadableStore, name: str, present: set[str]) -> bool:
    return name in present and version.read(name, _LIMIT) == store.read(name, _LIMIT)


def _is_ours(name: str) -> bool:
    """Whether a file is of a kind that versions hold and replace; what else stands there is left alone."""
    folder, _, leaf = name.rpartition("/")
    return bool(folder) and folder.split("/")[0] not in _KEPT and not leaf.startswith(".")


def _index_sha256(store: ReadableStore) -> str | None:
    try:
        return sha256_hex(store.read(wire.PLACE, wire.MAX_BYTES))
    except FaultError as fault:
        if fault.code == "STO001":
            return None
        raise
