"""The library's door: ``upheld.open(path)`` gives a ``Memory`` whose methods are the commands, by the same names."""

from __future__ import annotations

import os

from upheld.compose.clock import day_or_today
from upheld.compose.gate import gate_for
from upheld.compose.location import locate
from upheld.compose.state import state_root
from upheld.model.answer import Refusal
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.stores.directory import DirectoryStore
from upheld.stores.state_directory import is_pinned_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from upheld.model.answer import Answer
    from upheld.model.history import History
    from upheld.model.verdict import Verdict
    from upheld.services.admission import Gate
    from upheld.services.index_listing import Listing


class Memory(Value):
    """One store, opened for one caller. Nothing is read until a verb is called, and each call reads afresh.

    Attributes:
        path: the store's folder.
        why: why this folder was chosen (``upheld where``).
        unsealed: the caller accepts a store that nobody vouches for; its outcome is ``unsealed``, never ``verified``.
        as_of: the day to judge dates by, ``YYYY-MM-DD``; None for today (UTC). Another day than today makes every
            outcome hypothetical.
        pin: ``DIGEST@VERSION`` of a trust root, for machines that keep no state (CI); nothing is written then.
    """

    path: str
    why: str
    unsealed: bool = False
    as_of: str | None = None
    pin: str | None = None

    def recall(self, key: str) -> Answer | Refusal:
        """Return the verified text of ``key``, or a refusal. Call ``require()`` on either to insist on an answer.

        Raises:
            NoStoreError: the folder is not there.
            BusyError: the store kept changing.
            UsageError: ``as_of`` is not a real day.
        """
        from upheld.services.recall import recall

        as_of, today = day_or_today(self.as_of)
        missing = self._missing()
        if missing is not None:
            return Refusal(key=key, findings=(missing.replace(keys=(key,)),), as_of=as_of, hypothetical=as_of != today)
        with DirectoryStore(self.path) as store:
            gate = self._gate(store, remembers=as_of == today)
            outcome = recall(store, key, as_of=as_of, today=today, admit=gate.admit)
            if outcome.outcome == "verified":
                gate.answered()
            return outcome

    def _missing(self) -> Finding | None:
        """A pinned place without its store is refused, never "no store"."""
        if os.path.isdir(self.path) or not is_pinned_at(state_root(os.environ), self.path):
            return None
        return Finding(code="RBK004", place=self.path)

    def _gate(self, store: DirectoryStore, *, remembers: bool = True) -> Gate:
        return gate_for(store, self.path, unsealed=self.unsealed, pin=self.pin, remembers=remembers)

    def verify(self, *, progress: Callable[[int, int], None] | None = None, processes: int | None = None) -> Verdict:
        """Verify the whole store and return every fault of it. Call ``require()`` on the verdict to insist.

        Args:
            progress: called now and then with how many keys are done and how many there are.
            processes: how many processes a large store may be split over; None for one a core, at most eight.

        Raises:
            NoStoreError: the folder is not there.
            BusyError: the store kept changing.
            UsageError: ``as_of`` is not a real day.
        """
        from upheld.model.verdict import unread_verdict
        from upheld.services.verify import verify

        as_of, today = day_or_today(self.as_of)
        count = _cores() if processes is None else processes
        missing = self._missing()
        if missing is not None:
            return unread_verdict(missing, as_of=as_of, today=today)
        with DirectoryStore(self.path) as store:
            admit = self._gate(store, remembers=as_of == today).admit
            return verify(store, as_of=as_of, today=today, admit=admit, progress=progress, processes=count)

    def history(self, key: str) -> History | Refusal:
        """Return every version of ``key``, newest first, of a retired key too; a refusal where no entry has this key.

        Raises:
            NoStoreError: the folder is not there.
            BusyError: the store kept changing.
            UsageError: ``as_of`` is not a real day.
        """
        from upheld.services.history import history

        as_of, today = day_or_today(self.as_of)
        missing = self._missing()
        if missing is not None:
            return Refusal(key=key, findings=(missing.replace(keys=(key,)),), as_of=as_of, hypothetical=as_of != today)
        with DirectoryStore(self.path) as store:
            return history(store, key, as_of=as_of, today=today, admit=self._gate(store).admit)

    def index(self) -> AbstractContextManager[Listing]:
        """Open the index for listing; its ``lines()`` read one node at a time while the context lasts.

        Raises:
            NoStoreError: the folder is not there.
            FaultError: the index cannot be read.
            RefusedError: the index must not be used.
        """
        from contextlib import contextmanager

        from upheld.services.index_listing import index_listing

        @contextmanager
        def listing() -> Iterator[Listing]:
            missing = self._missing()
            if missing is not None:
                Refusal(key="", findings=(missing,), as_of="").require()
            with DirectoryStore(self.path) as store:
                yield index_listing(store, admit=self._gate(store).admit)

        return listing()


def _cores() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, 8)


def open(
    path: str | os.PathLike[str] | None = None,
    *,
    unsealed: bool = False,
    as_of: str | None = None,
    pin: str | None = None,
) -> Memory:
    """Open a store.

    Args:
        path: the store's folder; None for ``UPHELD_STORE`` or the nearest ``.upheld`` upward.
        unsealed: accept a store that carries no seal.
        as_of: judge dates by this day instead of today.
        pin: ``DIGEST@VERSION`` of a trust root, where this machine keeps no state of the store.

    Raises:
        NoStoreError: no path was given and there is no store here or above.
    """
    root = state_root(os.environ)
    named = None if path is None else os.fspath(path)
    location = locate(named, os.environ, os.getcwd(), lambda place: is_pinned_at(root, place))
    return Memory(path=location.path, why=location.why, unsealed=unsealed, as_of=as_of, pin=pin)
