"""May this index be used at all? Step 1 of a recall (DESIGN section 3, "Fast path").

This is the fast path: index bytes that the trusted state vouches for need no signature check again before
``valid_until``. Whatever else is the case is judged in ``services.admission_slow``, which loads cryptography.
"""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.services.snapshot import Admission

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.index import Index
    from upheld.model.trusted import Trusted
    from upheld.ports.store import ReadableStore
    from upheld.ports.trusted_state import ReadableState, TrustedState

UNSEALED = "seal: not checked (--unsealed), so nothing says who wrote the store"


class Pin(Value):
    """A trust root that somebody outside the store vouches for.

    Attributes:
        root_sha256: digest of one version of the trust root.
        version: the lowest index version to accept.
        store_id: the store that must stand here; empty where any store of that root may.
        source: who says so, for the findings ("--pin", a file below /etc).
    """

    root_sha256: str
    version: int
    store_id: str = ""
    source: str = "--pin"


def _nothing() -> None:
    """A place whose names are durable as soon as they are seen."""


def _unkept(index_sha256: str) -> None:
    """A place without history."""


class Gate(Value):
    """What decides about one store for one call. ``admit`` judges an index; ``answered`` hears of a verified answer.

    Attributes:
        store: where seals, roots and events are read.
        state: the trusted state of the place; writable: the same, opened for writing when it comes to that.
        today: the day, UTC; now: the instant.
        unsealed: the caller reads without a seal, by name.
        pin: an explicit pin of this call; None for none.
        system_pin: a pin of the machine's administrator, which outranks everything; None for none.
        remembers: whether what is verified here may be remembered (a recall with ``--pin`` writes nothing).
        make_durable: makes the names in the store's folder durable; raises StorageError. A reader may meet an index
            whose writer has not done so yet, and must not remember what a power loss could take back.
        keep: lets history have the version with this digest that stands in the folder, where its writer died before it
            came to that. It is called once a new head is remembered, raises nothing, and may leave it.
    """

    store: ReadableStore
    state: ReadableState
    writable: Callable[[], TrustedState]
    today: str
    now: str
    unsealed: bool = False
    pin: Pin | None = None
    system_pin: Pin | None = None
    remembers: bool = True
    make_durable: Callable[[], None] = _nothing
    keep: Callable[[str], None] = _unkept

    def admit(self, data: bytes, index: Index) -> Admission:
        """Judge one index. Nothing is raised: a state that cannot be trusted is a reason to refuse."""
        try:
            state = self.state.load()
        except FaultError as fault:
            return refused(finding_of(fault))
        if state is None or not state.is_pinned:
            return self._first_contact(data, index, state)
        refusals = _refusals(state, self.today)
        if refusals:
            return refused(*refusals)
        if self.system_pin is None and self.pin is None and vouched(state, index, self.today):
            return Admission(sealed=True, notices=mentions(state))
        from upheld.services.admission_slow import admit_pinned

        return admit_pinned(self, data, index, state)

    def answered(self) -> None:
        """Move the clock mark to today, where a day has passed since it was moved last.

        Only a call that verified an answer may do so, and never past the mark's limit: a clock that is far ahead must
        not lock the store for good.
        """
        state = self.state.load() if self.remembers else None
        if state is not None and state.is_pinned and state.clock_mark < self.today <= state.clock_limit:
            from upheld.services.admission_slow import move_clock

            move_clock(self, state)

    def _first_contact(self, data: bytes, index: Index, state: Trusted | None) -> Admission:
        if self.pin is not None or self.system_pin is not None:
            from upheld.services.admission_slow import admit_by_pin

            return admit_by_pin(self, data, index)
        if index.root_version is not None and not self.unsealed:
            from upheld.services.admission_slow import introduce

            return introduce(self, data, index)
        if index.store_id and self.state.knows_store(index.store_id):
            facts = (("store", index.store_id[:64]), ("known as", "a sealed store that is pinned on this machine"))
            return refused(Finding(code="RBK010", place="index.json", facts=facts))
        if not (self.unsealed or (state is not None and state.unsealed)):
            return refused(Finding(code="SIG001", place="index.json"))
        return Admission(sealed=False, not_checked=(UNSEALED,))


def refused(*findings: Finding) -> Admission:
    """Return an admission that refuses."""
    return Admission(sealed=False, refusals=findings, not_checked=("seal: see the refusal",))


def vouched(state: Trusted, index: Index, today: str) -> bool:
    """Whether the trusted state vouches for these very bytes, and the seal need not be checked again yet.

    While `sync` puts a published version into the folder, readers may meet either: our head, or the published version
    that contains it. A published version that our draft stands on is older than the head, and is not vouched for.
    """
    head, published = state.head, state.published
    if head is None or today >= state.valid_until:
        return False
    if head.sha256 == index.node.sha256:
        return True
    return published is not None and published.sha256 == index.node.sha256 and published.version >= head.version


def mentions(state: Trusted) -> tuple[Finding, ...]:
    """Return what every recall is to mention until it is mended or accepted by name."""
    return tuple(
        Finding(code=name.partition(":")[0], facts=(("key", name.partition(":")[2]),))
        for name in state.warnings
        if name not in state.accepted
    )


def _refusals(state: Trusted, today: str) -> tuple[Finding, ...]:
    """The clock must not be behind what was seen here before (day granularity)."""
    if not state.clock_mark or today >= state.clock_mark:
        return ()
    return (Finding(code="RBK009", facts=(("seen here", state.clock_mark), ("today", today))),)
