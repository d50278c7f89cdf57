"""A store that holds nothing and takes nothing: the place of a store that is not made yet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager

from upheld.errors import FaultError, NoStoreError
from upheld.ports.store import WritableStore


class Nowhere:
    """See the module. ``location`` is where the store is going to be."""

    def __init__(self, location: str) -> None:
        self.location = location

    def read(self, name: str, limit: int) -> bytes:
        """Find nothing."""
        raise FaultError("STO001", name)

    def read_bound(self, name: str, limit: int) -> bytes:
        """Find nothing."""
        raise FaultError("STO001", name)

    def list(self, folder: str) -> tuple[str, ...]:
        """List nothing."""
        return ()

    @contextmanager
    def lock(self, seconds: float) -> Iterator[None]:
        """Hold nothing."""
        yield

    def put_all(self, files: Mapping[str, bytes], *, index: bytes | None = None, replaces: Iterable[str] = ()) -> None:
        """Take nothing."""
        raise self._gone()

    def settle(self, named: Callable[[], Collection[str]]) -> None:
        """Leave nothing behind."""

    def swap(self, index: bytes, expected: str | None) -> None:
        """Take nothing."""
        raise self._gone()

    def delete(self, names: Iterable[str]) -> None:
        """Have nothing to delete."""

    def remove(self, names: Iterable[str]) -> None:
        """Have nothing to remove."""

    def age(self, name: str) -> float:
        """Have nothing that could be old."""
        return 0.0

    def mend(self, name: str, data: bytes) -> None:
        """Take nothing."""
        raise self._gone()

    def _gone(self) -> NoStoreError:
        return NoStoreError(f"there is no store at {self.location} yet", help="make one with `upheld init`")


_: type[WritableStore] = Nowhere
