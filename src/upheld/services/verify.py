"""verify: every fault of a store in one run, and what was and was not checked.

The steps are those of a recall, numbered as in docs/explanation/verification.md, taken for every key; then the files
that nothing names.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from upheld.checks.finding_of import finding_of
from upheld.errors import BusyError, FaultError
from upheld.model.finding import worst_first
from upheld.model.verdict import Verdict
from upheld.services.forked import can_fork, in_processes
from upheld.services.gather import read_pool
from upheld.services.leaves import Start, Step, below, keys_of, opened, walk
from upheld.services.recall import ATTEMPTS
from upheld.services.snapshot import index_bytes, is_still
from upheld.services.tally import Tally
from upheld.services.unreferenced import ATTEMPT, listed, unreferenced
from upheld.services.verify_article import verify_unreached
from upheld.services.verify_leaf import LeafVerifier
from upheld.services.verify_triggers import verify_triggers
from upheld.wire import index as wire
from upheld.wire.digest import hash_in_bulk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from upheld.checks.pool import Pool
    from upheld.model.finding import Finding
    from upheld.model.index import Index, Node
    from upheld.ports.store import ReadableStore
    from upheld.services.recall import Admit
    from upheld.services.snapshot import Admission
    from upheld.services.unreferenced import Folders
    from upheld.services.verify_sealed import SealedPart

    Progress = Callable[[int, int], None]

FORK_FROM = 2000
"""How many keys a store must hold before it is split over processes."""
WRITER_SECONDS = 1.0
"""How long a writer that may be at work is waited for, before what nothing names yet is called superfluous."""
_UNSEALED = "SIG001"
CUT = "files that nothing names: what cannot be read may name them"


def verify(
    store: ReadableStore,
    *,
    as_of: str,
    today: str,
    admit: Admit,
    progress: Progress | None = None,
    processes: int = 1,
    quick: bool = True,
) -> Verdict:
    """Verify everything that the index names, and report everything that it does not.

    A store without a seal is ``unverified`` at best. That alone is no error here (the verdict's ``not_checked`` says
    it), whatever the caller accepts for a recall; any other reason not to admit the index is.

    Args:
        store: the store to read.
        as_of: the day to judge dates by; another day than ``today`` makes the verdict hypothetical.
        today: the day it is, UTC.
        admit: decides whether this index may be used at all.
        progress: called now and then with how many keys are done and how many there are.
        processes: how many processes to split a large closed store over, where the platform can fork.
        quick: settle sound chains the short way; for the test that compares it with the long one.

    Raises:
        BusyError: the index kept moving through every attempt.
        UpheldError: a process that verified a part of the store ended early.
    """
    hash_in_bulk()
    for attempt in range(1, ATTEMPTS + 1):
        run = _Run(store, as_of, today, admit, progress or _silent, processes, quick)
        verdict = run.verdict()
        if not run.is_as_good_as_slow:
            quick = False
            continue
        # Findings may only be a commit in flight: they count if the index is still the one they were found under.
        if not verdict.findings:
            return verdict
        if not (attempt < ATTEMPTS and run.has_settled()) and run.is_still_there():
            return verdict
    raise BusyError("the store kept changing while it was verified", help="try again in a moment")


def _silent(done: int, total: int) -> None:
    pass


class _Run:
    """One attempt, on one version of the index."""

    def __init__(
        self,
        store: ReadableStore,
        as_of: str,
        today: str,
        admit: Admit,
        progress: Progress,
        processes: int,
        quick: bool,
    ) -> None:
        self._store = store
        self._as_of = as_of
        self._today = today
        self._admit = admit
        self._progress = progress
        self._processes = processes
        self._quick = quick
        self._tally = Tally()
        self._data: bytes | None = None
        self._sealed_part: SealedPart | None = None
        self._folders: Folders | None = None

    @property
    def is_as_good_as_slow(self) -> bool:
        """Whether the short way had only regular files before it: the one thing that it does not ask each of them."""
        return not self._quick or self._folders is None or self._folders.are_regular

    def verdict(self) -> Verdict:
        # 1. The index: read, decoded, admitted.
        try:
            self._data = index_bytes(self._store)
            index = wire.decode(self._data)
        except FaultError as fault:
            self._tally.add([finding_of(fault)])
            return self._made(None, None, ("everything else: the index cannot be read",))
        admission = self._admit(self._data, index)
        self._tally.add(admission.notices)
        refusals = tuple(finding for finding in admission.refusals if finding.code != _UNSEALED)
        pool, refusals = self._pool(index, refusals)
        self._contents(Start(node=index.node, above=refusals), index, pool)
        if self._tally.triggered:
            self._tally.add(verify_triggers(self._store, index, self._tally.triggered))
        self._tally.add(refusals)
        if index.root_version is not None:
            from upheld.services.verify_sealed import verify_sealed  # loads cryptography

            self._sealed_part = verify_sealed(self._store, self._data, index, self._as_of)
            self._tally.add(self._sealed_part.findings)
        if index.is_closed or pool is not None:
            folders = self._listed(is_closed=index.is_closed)
            self._tally.add(unreferenced(self._store, folders, self._tally, is_closed=index.is_closed))
            return self._made(index, admission, (CUT,) if self._tally.is_cut else ())
        return self._made(index, admission, ("records and sources: the folder of records cannot be listed",))

    def _listed(self, *, is_closed: bool) -> Folders:
        if self._folders is None:
            self._folders = listed(self._store, is_closed=is_closed)
        return self._folders

    def _pool(self, index: Index, refusals: tuple[Finding, ...]) -> tuple[Pool | None, tuple[Finding, ...]]:
        if index.is_closed:
            return None, refusals
        try:
            return read_pool(self._store), refusals
        except FaultError as fault:
            return None, (*refusals, finding_of(fault))

    def has_settled(self) -> bool:
        """Whether a writer that was at work has ended meanwhile, so that what nothing named may be named or gone.

        Its note stands from its first file to its last. A dead writer's stays; it is not waited for long.
        """
        if not any(finding.code == "STO007" for finding in self._tally.findings()):
            return False
        late = time.monotonic() + WRITER_SECONDS
        waits = False
        while ATTEMPT in self._store.list(""):
            waits = True
            if time.monotonic() > late:
                return False
            time.sleep(0.02)
        return waits

    def is_still_there(self) -> bool:
        """Whether the index is still the one that this attempt read."""
        return is_still(self._store, self._data)

    def _contents(self, start: Start, index: Index, pool: Pool | None) -> None:
        total = _total(index.node)
        if index.is_closed and self._processes > 1 and total >= FORK_FROM and can_fork():
            self._split(start, total)
            return
        verifier = None
        if index.is_closed or pool is not None:
            verifier = LeafVerifier(self._store, self._as_of, self._tally, pool, quick=self._quick)
        self._subtrees([start], self._tally, verifier, lambda done: self._progress(done, total))
        if pool is not None:
            verify_unreached(self._store, pool, self._tally, self._as_of)

    def _split(self, root: Start, total: int) -> None:
        """Open the upper nodes here, and deal what is below them out to processes."""
        parts = [root]
        while len(parts) < 16 * self._processes:
            steps = [opened(self._store, part) for part in parts]
            following = [part for step in steps for part in below(step)]
            if not following or any(step.node is not None and step.node.children is None for step in steps):
                break
            for step in steps:
                _account(step, self._tally)
            parts = following

        def work(share: list[Start], tell: Callable[[int], None]) -> bytes:
            tally = Tally()
            self._subtrees(share, tally, LeafVerifier(self._store, self._as_of, tally, None, quick=self._quick), tell)
            return tally.packed()

        def tell(done: int) -> None:
            self._progress(done, total)

        def meanwhile() -> None:
            self._listed(is_closed=True)

        for packed in in_processes(work, parts, self._processes, tell, meanwhile):
            self._tally.merge(packed)

    def _subtrees(
        self, start: Iterable[Start], tally: Tally, verifier: LeafVerifier | None, tell: Callable[[int], None]
    ) -> None:
        for step in walk(self._store, start):
            _account(step, tally)
            if verifier is not None and step.node is not None and step.node.children is None:
                verifier.verify(step.node)
            tell(tally.keys)

    def _made(self, index: Index | None, admission: Admission | None, unread: tuple[str, ...]) -> Verdict:
        tally = self._tally
        findings = worst_first(tally.findings())
        sealed = admission is not None and admission.sealed
        part = self._sealed_part
        sealed_checked = part.checked if part is not None else ()
        checked = sum((tally.records, tally.pointers, tally.sources, *(number for _, number in sealed_checked)))
        return Verdict(
            outcome=_outcome(findings, sealed and checked > 0),
            findings=findings,
            checked=(
                ("records", tally.records),
                ("pointers", tally.pointers),
                ("sources", tally.sources),
                ("triggers", tally.triggers),
                *sealed_checked,
            ),
            not_checked=(
                *(admission.not_checked if admission is not None else ()),
                *(part.not_checked if part is not None else ()),
                *unread,
            ),
            keys=tally.keys,
            refused=tuple(sorted(tally.refused)),
            as_of=self._as_of,
            hypothetical=self._as_of != self._today,
            sealed=sealed,
            version=index.version if index is not None else None,
        )


def _account(step: Step, tally: Tally) -> None:
    """Note a node, what is wrong with it, and the keys that it and the nodes above it refuse."""
    tally.name(step.place)
    tally.add(step.findings)
    tally.keys += step.lost
    tally.is_cut |= step.node is None
    if step.node is None or step.node.children is not None:
        return
    tally.keys += len(step.node.entries)
    wrong = [*step.above, *step.findings]
    if wrong:
        keys = keys_of(step.node)
        tally.refuse([finding.replace(keys=keys) for finding in wrong], keys)


def _outcome(findings: tuple[Finding, ...], can_vouch: bool) -> str:
    """Nothing checked is not verified, and neither is what nobody signed."""
    if any(finding.severity == "error" for finding in findings):
        return "failed"
    return "verified" if can_vouch else "unverified"


def _total(node: Node) -> int:
    if node.children is None:
        return len(node.entries)
    return sum(child.pointers for child in node.children.values())
