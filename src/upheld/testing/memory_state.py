"""A trusted state held in memory. It keeps the rules of the one on disk: revisions, and bytes behind every head."""

from __future__ import annotations

from collections.abc import Mapping

from upheld.errors import ConflictError, FaultError
from upheld.model.trusted import Accepted, Trusted
from upheld.ports.trusted_state import TrustedState


class MemoryState:
    """The state of one place.

    Args:
        place: the place.
        known: ids of stores that are pinned elsewhere on this machine.
    """

    def __init__(self, place: str = "path:/memory", known: tuple[str, ...] = ()) -> None:
        self.place = place
        self.known = known
        self.state: Trusted | None = None
        self.bytes: Accepted | None = None
        self.evidence: dict[str, Mapping[str, object]] = {}
        self.fault: FaultError | None = None
        self.seen = ""

    def knows_store(self, store_id: str) -> bool:
        """See ``TrustedState.knows_store``."""
        return store_id in self.known or (self.state is not None and self.state.store_id == store_id)

    def seen_here(self) -> str:
        """See ``TrustedState.seen_here``."""
        return self.seen

    def load(self) -> Trusted | None:
        """See ``TrustedState.load``; raises ``fault`` where one is set."""
        if self.fault is not None:
            raise self.fault
        return self.state

    def accepted(self) -> Accepted:
        """See ``TrustedState.accepted``."""
        if self.bytes is None:
            raise FaultError("RBK005", "the accepted bytes", detail="they are missing")
        return self.bytes

    def save(self, state: Trusted, accepted: Accepted | None) -> None:
        """See ``TrustedState.save``."""
        if state.revision != (self.state.revision if self.state is not None else 0):
            raise ConflictError("another process has moved the trusted state meanwhile")
        self.state = state.replace(revision=state.revision + 1)
        self.bytes = accepted if accepted is not None else self.bytes
        self.seen = state.head.sha256 if accepted is not None and state.head is not None else self.seen
        self.fault = None

    def forget(self) -> None:
        """See ``TrustedState.forget``."""
        self.state = self.bytes = self.fault = None

    def keep_evidence(self, name: str, evidence: Mapping[str, object]) -> str:
        """See ``TrustedState.keep_evidence``."""
        self.evidence[name] = evidence
        return f"memory/{name}"


_: type[TrustedState] = MemoryState
