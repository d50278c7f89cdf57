"""What sync remembers of a pinned place, in its trusted state; and how it judges what others published.

A fetched version is judged against the *published* version, not against an own draft: a draft is on nobody else's log,
so everything that others publish meanwhile would look like a fork.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from upheld.errors import FaultError, StorageError
from upheld.model.index import Index
from upheld.model.trusted import Accepted, Head, Trusted
from upheld.ports.history import WholeVersion
from upheld.ports.store import ReadableStore
from upheld.ports.team import Archive, Heads
from upheld.ports.trusted_state import ReadableState, TrustedState
from upheld.services.admission import Gate
from upheld.services.admission_slow import remember_head
from upheld.services.snapshot import Admission, read_index
from upheld.wire import event as wire_event
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex

if TYPE_CHECKING:
    from upheld.services.recall import Admit


_MOST_DROPPED = 16


class StateHeads:
    """The heads of one pinned place.

    Args:
        gate: the gate of the place; its store is not used.
        archive: where the published version is read.
        remote: where the store is shared; remembered with the first published version.
    """

    def __init__(self, gate: Gate, archive: Archive, remote: str) -> None:
        self._gate = gate
        self._archive = archive
        self._remote = remote

    def published(self) -> Head | None:
        """Return the published version. See ``Heads.published``.

        A place that was never synced publishes on commit, to nobody: that says nothing about the remote.
        """
        state = self._state()
        return state.published if state.remote is not None else None

    def head(self) -> Head | None:
        """Return our own newest version. See ``Heads.head``."""
        return self._state().head

    def set_published(self, version: WholeVersion, head: Head) -> None:
        """Remember a published version, and that it was seen today. See ``Heads.set_published``."""
        state = self._state()
        moved = state.replace(published=head, remote=self._remote, synced_on=self._gate.today)
        self._gate.writable().save(moved, None)

    def set_head(self, version: WholeVersion, head: Head) -> None:
        """Make a published version the head. See ``Heads.set_head``."""
        data, index = read_index(version)
        state = self.judged_by(self._state(), index)
        # What was given up here and has come from everybody after all is no longer given up.
        left = tuple(mark for mark in state.dropped if not _holds(version, mark))
        remember_head(self._gate_of(version), data, state.replace(dropped=left))

    def give_up(self, version: ReadableStore, number: int) -> None:
        """Remember a draft that is given up. See ``Heads.give_up``."""
        state = self._state()
        mark = f"{number}:{sha256_hex(version.read(wire_event.name_of(number), wire_event.MAX_BYTES))}"
        self._gate.writable().save(state.replace(dropped=(*state.dropped, mark)[-_MOST_DROPPED:]), None)

    def admit_of(self, store: ReadableStore) -> Admit:
        """Return what judges the index of a fetched version, or of one that is made on top of it."""

        def admit(data: bytes, index: Index) -> Admission:
            view = _View(self._gate.state, lambda state: self.judged_by(state, index).replace(dropped=()))
            memory = _NoMemory(self._gate.state, self._gate.writable)
            return self._gate.replace(store=store, state=view, writable=lambda: memory, remembers=False).admit(
                data, index
            )

        return admit

    def judged_by(self, state: Trusted, index: Index) -> Trusted:
        """Return the state as it would be if there were no drafts here: its head is the published version."""
        published = state.published if state.remote is not None else None
        found = self._archive.find(published.sha256) if published is not None else None
        if published is None or found is None:
            # Nothing to follow from: the seal and the root decide, and sync compares the logs itself.
            return state.replace(
                head=Head(root_version=index.root_version or 0, version=index.version or 0, sha256=index.node.sha256),
                synced_on=self._gate.today,
            )
        before = wire.decode(found.read(wire.PLACE, wire.MAX_BYTES))
        pointers, retired = before.node.counts
        return state.replace(
            head=published,
            root_version=before.root_version or 0,
            root_sha256=before.root_sha256 or "",
            log_head=before.log_head or "",
            pointers=pointers,
            retired=retired,
            synced_on=self._gate.today,
        )

    def _gate_of(self, version: WholeVersion) -> Gate:
        real = self._gate.writable
        memory = _NoMemory(self._gate.state, real, save=lambda state, accepted: real().save(state, accepted))
        return self._gate.replace(store=version, writable=lambda: memory)

    def _state(self) -> Trusted:
        state = self._gate.state.load()
        if state is None or not state.is_pinned:
            raise AssertionError("an unpinned place has other heads")
        return state


def _holds(version: ReadableStore, mark: str) -> bool:
    number, _, digest = mark.partition(":")
    try:
        return sha256_hex(version.read(wire_event.name_of(int(number)), wire_event.MAX_BYTES)) == digest
    except FaultError:
        return False


class _View:
    """The trusted state, seen through a function."""

    def __init__(self, state: ReadableState, seen: Callable[[Trusted], Trusted]) -> None:
        self._state = state
        self._seen = seen

    @property
    def place(self) -> str:
        return self._state.place

    def knows_store(self, store_id: str) -> bool:
        return self._state.knows_store(store_id)

    def seen_here(self) -> str:
        return ""  # what stands in the folder is not what is judged

    def load(self) -> Trusted | None:
        state = self._state.load()
        return self._seen(state) if state is not None and state.is_pinned else state


class _NoMemory:
    """A state whose accepted bytes are not the head's: the root is read from the version itself, at its digest."""

    def __init__(
        self,
        state: ReadableState,
        real: Callable[[], TrustedState],
        save: Callable[[Trusted, Accepted | None], None] | None = None,
    ) -> None:
        self._state = state
        self._real = real
        self._save = save

    @property
    def place(self) -> str:
        return self._state.place

    def knows_store(self, store_id: str) -> bool:
        return self._state.knows_store(store_id)

    def seen_here(self) -> str:
        return ""

    def load(self) -> Trusted | None:
        return self._state.load()

    def accepted(self) -> Accepted:
        raise FaultError("RBK005", self._state.place, detail="the bytes behind the published version are in git")

    def save(self, state: Trusted, accepted: Accepted | None) -> None:
        if self._save is None:
            raise StorageError("nothing is remembered while a version is judged")
        self._save(state, accepted)

    def keep_evidence(self, name: str, evidence: Mapping[str, object]) -> str:
        return self._real().keep_evidence(name, evidence)


_: type[Heads] = StateHeads
