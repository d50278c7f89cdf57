"""What this user rejected and was served, in the state folder: one file a place and kind, 0600, bounded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from upheld.errors import StorageError
from upheld.model.remembered import Rejection, Remembered
from upheld.stores.lock import locked
from upheld.stores.place import mark_of
from upheld.stores.state_directory import read_private
from upheld.stores.state_writer import write_private
from upheld.wire import remembered as wire

MAX_REJECTIONS = 1_000
MAX_SERVED = 40_000
"""How many fingerprints of served texts are kept; some hundred texts of two hundred words."""
_LOCK_SECONDS = 5.0


class TextMemory:
    """The memory of one place.

    Args:
        root: the user's state folder.
        place: which store (``stores.place``).
    """

    def __init__(self, root: str, place: str) -> None:
        self._folder = os.path.join(root, "texts")
        self._mark = mark_of(place)

    def load(self) -> Remembered:
        """Return what is remembered; nothing where nothing is.

        Raises:
            FaultError: a file cannot be trusted or is malformed. Whoever screens refuses then.
        """
        return Remembered(rejections=self._rejections(), served=self._served())

    def reject(self, rejection: Rejection) -> None:
        """Remember one more rejected text; the oldest gives way.

        Raises:
            StorageError: it cannot be written.
        """
        self._update(lambda old: (*(one for one in old if one.id != rejection.id), rejection)[-MAX_REJECTIONS:])

    def lift(self, proposal_id: str) -> bool:
        """Forget the rejection of one proposal; return whether there was one.

        Raises:
            StorageError: it cannot be written.
        """
        was = any(one.id == proposal_id for one in self._rejections())
        self._update(lambda old: tuple(one for one in old if one.id != proposal_id))
        return was

    def served(self, fingerprints: Iterable[str]) -> None:
        """Remember that a text was served; the oldest fingerprints give way.

        Raises:
            StorageError: it cannot be written.
        """
        with self._locked():
            fresh = dict.fromkeys(sorted(fingerprints))
            kept = [one for one in self._served() if one not in fresh]
            write_private(self._file("served"), wire.encode_served((*kept, *fresh)[-MAX_SERVED:]))

    def _update(self, change: Callable[[tuple[Rejection, ...]], tuple[Rejection, ...]]) -> None:
        with self._locked():
            write_private(self._file("rejected"), wire.encode_rejections(change(self._rejections())))

    def _rejections(self) -> tuple[Rejection, ...]:
        data = read_private(self._file("rejected"), wire.MAX_BYTES)
        return wire.decode_rejections(data, self._file("rejected")) if data is not None else ()

    def _served(self) -> tuple[str, ...]:
        data = read_private(self._file("served"), wire.MAX_BYTES)
        return wire.decode_served(data, self._file("served")) if data is not None else ()

    def _file(self, kind: str) -> str:
        return os.path.join(self._folder, f"{self._mark}.{kind}.json")

    def _locked(self) -> _Held:
        return _Held(self._folder, self._mark)


class _Held:
    """The folder, made if need be, and held for one writer; a failure of the disk is a ``StorageError``."""

    def __init__(self, folder: str, mark: str) -> None:
        self._folder, self._mark = folder, mark

    def __enter__(self) -> None:
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{self._folder} cannot be made: {os.strerror(error.errno or 0)}") from None
        self._lock = locked(os.path.join(self._folder, f"{self._mark}.lock"), _LOCK_SECONDS)
        self._lock.__enter__()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._lock.__exit__(None, None, None)
        if isinstance(error, OSError):
            raise StorageError(f"{self._folder} cannot be written: {os.strerror(error.errno or 0)}") from None
