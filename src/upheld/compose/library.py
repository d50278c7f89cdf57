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
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from upheld.compose.semantic import SemanticRouter
    from upheld.compose.triggers import Triggers
    from upheld.model.answer import Answer
    from upheld.model.history import History
    from upheld.model.imported import Imported
    from upheld.model.log_view import LogView
    from upheld.model.proposal import Asker
    from upheld.model.proposal_view import Decided, Decision, Inbox, ProposalView, Proposed
    from upheld.model.remembered import Rejection
    from upheld.model.reports import Collected, Comparison, Diagnosis, Due, Review
    from upheld.model.route import Routed
    from upheld.model.trigger_edit import TriggerEdit
    from upheld.model.verdict import Verdict
    from upheld.model.written import Written
    from upheld.ports.person import Ask
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
        key: what seals: a private key file, ``agent`` or ``agent:FINGERPRINT``; None for the first key here that the
            trust root lists.
    """

    path: str
    why: str
    unsealed: bool = False
    as_of: str | None = None
    pin: str | None = None
    key: str | None = None

    def recall(self, key: str) -> Answer | Refusal:
        """Return the verified text of ``key``, or a refusal. Call ``require()`` on either to insist on an answer.

        Raises:
            NoStoreError: the folder is not there.
            BusyError: the store kept changing.
            UsageError: ``as_of`` is not a real day.
        """
        as_of, today = day_or_today(self.as_of)
        refused = self.absence(key)
        if refused is not None:
            return refused
        with DirectoryStore(self.path) as store:
            return self._recalled(store, self._gate(store, remembers=as_of == today), key, as_of, today)

    def _recalled(self, store: DirectoryStore, gate: Gate, key: str, as_of: str, today: str) -> Answer | Refusal:
        from upheld.services.recall import recall

        outcome = recall(store, key, as_of=as_of, today=today, admit=gate.admit)
        if outcome.outcome == "verified":
            gate.answered()
        return outcome

    def recall_with_receipt(self, key: str, *, chosen_by: str = "caller") -> tuple[Answer | Refusal, bytes]:
        """Recall ``key`` as of today and return the receipt with the outcome; no bytes for a refusal.

        Args:
            key: the key.
            chosen_by: ``caller``; ``routing`` where a route led to the key; ``ambiguous`` where it left a choice of
                several, and this key was named out of them.

        Raises:
            NoStoreError: the folder is not there.
            BusyError: the store kept changing.
            UsageError: the store is not sealed.
        """
        from upheld.services.receipt import recall_with_receipt

        refused = self.absence(key)
        if refused is not None:
            return refused, b""
        with DirectoryStore(self.path) as store:
            gate = self._gate(store)
            outcome, receipt = recall_with_receipt(gate, key, chosen_by=chosen_by)
            if outcome.outcome == "verified":
                gate.answered()
            return outcome, receipt

    def route(
        self,
        text: str,
        *,
        paths: tuple[str, ...] = (),
        tools: tuple[str, ...] = (),
        commands: tuple[str, ...] = (),
        load: bool = False,
        semantic: SemanticRouter | None = None,
    ) -> Routed | Refusal:
        """Return which keys govern a task: a match, none, or an ambiguity to be settled by recalling one by name.

        Args:
            text: the task, in words.
            paths: files at hand, named from the repository's top or absolute.
            tools: tools about to be used.
            commands: commands about to be run.
            load: also recall the keys of a match.
            semantic: what scores texts by their sense as well (``upheld.compose.semantic``, the extra of that name);
                kept by the caller from call to call. None for words alone.

        Raises:
            NoStoreError: the folder is not there.
            BusyError: the store kept changing.
            UsageError: a path leads out of a folder (``..``).
        """
        from upheld.model.route import Task
        from upheld.services.route import route
        from upheld.stores.route_file import kept, route_file

        as_of, today = day_or_today(self.as_of)
        refused = self.absence()
        if refused is not None:
            return refused
        if paths:
            from upheld.compose.at_hand import from_top

            paths = tuple(from_top(path, os.path.dirname(self.path)) for path in paths)
        task = Task(text=text, paths=paths, tools=tools, commands=commands)
        with DirectoryStore(self.path) as store:
            gate = self._gate(store)
            file = route_file(state_root(os.environ), gate.state.place)
            scorer_for = None if semantic is None else semantic.at(gate.state.place)
            outcome = route(
                store,
                task,
                routes=lambda digest: kept(file, digest),
                today=today,
                admit=gate.admit,
                scorer_for=scorer_for,
            )
            if not load or isinstance(outcome, Refusal):
                return outcome
            reader = gate.replace(remembers=gate.remembers and as_of == today)
            return outcome.replace(
                loaded=tuple(self._recalled(store, reader, key, as_of, today) for key in outcome.keys)
            )

    @property
    def triggers(self) -> Triggers:
        """The triggers of the store: ``add``, ``remove``, ``clear``, ``show``, ``test``, ``lint``, ``calibrate``."""
        from upheld.compose.triggers import Triggers

        return Triggers(memory=self)

    def _missing(self) -> Finding | None:
        """A pinned place without its store is refused, never "no store"."""
        if os.path.isdir(self.path) or not is_pinned_at(state_root(os.environ), self.path):
            return None
        return Finding(code="RBK004", place=self.path)

    def absence(self, key: str = "") -> Refusal | None:
        """Return the refusal of a pinned place without its store, for one key or for all."""
        missing = self._missing()
        if missing is None:
            return None
        as_of, today = day_or_today(self.as_of)
        finding = missing.replace(keys=(key,)) if key else missing
        return Refusal(key=key, findings=(finding,), as_of=as_of, hypothetical=as_of != today)

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
        refused = self.absence(key)
        if refused is not None:
            return refused
        with DirectoryStore(self.path) as store:
            return history(store, key, as_of=as_of, today=today, admit=self._gate(store).admit)

    def log(self, *, key: str | None = None, limit: int | None = None) -> LogView:
        """Return the events of the log, newest first, and whether the chain from the first of them holds.

        Args:
            key: only the events of this key; None for all.
            limit: how many to return; None for all. The whole log is checked in any case.

        Raises:
            NoStoreError: the folder is not there.
            FaultError: the index cannot be read.
            RefusedError: the index must not be used.
            BusyError: the store kept changing.
        """
        from upheld.compose.absent import demand_present
        from upheld.services.log import log

        today = day_or_today(None)[1]
        demand_present(self.path)
        with DirectoryStore(self.path) as store:
            return log(store, today=today, admit=self._gate(store).admit, key=key, limit=limit)

    def index(self) -> AbstractContextManager[Listing]:
        """Open the index for listing; its ``lines()`` read one node at a time while the context lasts.

        Raises:
            NoStoreError: the folder is not there.
            FaultError: the index cannot be read.
            RefusedError: the index must not be used.
        """
        from contextlib import contextmanager

        from upheld.compose.absent import demand_present
        from upheld.services.index_listing import index_listing

        @contextmanager
        def listing() -> Iterator[Listing]:
            demand_present(self.path)
            with DirectoryStore(self.path) as store:
                yield index_listing(store, admit=self._gate(store).admit)

        return listing()

    # --- the verbs that write: each returns what it wrote, or with ``dry_run`` what it would write ------------------

    def init(
        self,
        *,
        passphrase: bool = True,
        automation: tuple[str, ...] = (),
        accept: tuple[str, ...] = (),
        dry_run: bool = False,
        ask: Ask | None = None,
    ) -> Written:
        """Make a new store in ``path``, sealed with ``key``, and pin it here.

        Where no key is named and this user has none of Upheld's yet, one is made in the configuration folder. Every
        verb that writes takes the last two arguments.

        Args:
            passphrase: a key that is made here gets one, which ``ask`` asks for; False only by name.
            automation: the verbs that may go without asking a person (the trust root's policy).
            accept: codes that recalls need not mention (``SIG030``: the key signs with nobody there).
            dry_run: write nothing; return every file as it would be.
            ask: is shown the change and answers for the person; None where this call is their decision.

        Raises:
            UsageError: there is a store, or something else, already.
        """
        from upheld.compose import verbs

        return verbs.init(self, passphrase=passphrase, automation=automation, accept=accept, dry_run=dry_run, ask=ask)

    def remember(
        self,
        key: str,
        text: str | bytes | None = None,
        *,
        when: str,
        because: str,
        owner: str | None = None,
        source: str | None = None,
        volatility: str | None = None,
        review_on: str | None = None,
        expires_on: str | None = None,
        trigger: TriggerEdit | None = None,
        dry_run: bool = False,
        ask: Ask | None = None,
    ) -> Written:
        """Add a key with its first version.

        Args:
            key: ``[a-z0-9][a-z0-9-]{0,63}``.
            text: the whole text; its first line that is neither blank nor a heading is the instruction.
            when: when the instruction applies, as a sentence.
            because: why it is remembered.
            owner: who answers for it; None for ``UPHELD_OWNER``, git's user.name or the login name.
            source: a file of the repository that owns the text, instead of ``text``.
            volatility: ``volatile``, ``normal`` or ``stable``: 14/30, 90/180 or 180/365 days to review and expiry.
            review_on: a day, ``YYYY-MM-DD``, instead.
            expires_on: likewise.
            trigger: matchers and examples of the task that it applies to.
            dry_run: write nothing.
            ask: see ``init``.

        Raises:
            UsageError: the key exists or cannot be one; a word or a day is missing or malformed.
            RefusedError: the text could not be served as it is meant, or the store is damaged.
            ConflictError, BusyError, StorageError, CommitUnknownError: see ``services.commit``.
        """
        from upheld.compose import verbs

        window = verbs.Window(volatility, review_on, expires_on)
        return verbs.remember(
            self, key, text, when=when, because=because, owner=owner, source=source, window=window, trigger=trigger,
            dry_run=dry_run, ask=ask,
        )  # fmt: skip

    def check_new(self, key: str) -> None:
        """Refuse a key that ``remember`` could not make, before anybody is asked for a text.

        Raises:
            UsageError: the key exists or cannot be one.
            NoStoreError, RefusedError: as for ``remember``.
        """
        from upheld.compose import verbs

        verbs.check_new(self, key)

    def correct(
        self,
        key: str,
        text: str | bytes | None = None,
        *,
        because: str,
        owner: str | None = None,
        source: str | None = None,
        unbind: bool = False,
        base: str | None = None,
        volatility: str | None = None,
        review_on: str | None = None,
        expires_on: str | None = None,
        trigger: TriggerEdit | None = None,
        dry_run: bool = False,
        ask: Ask | None = None,
    ) -> Written:
        """Supersede the current version of a key. Never makes a key.

        Args:
            key: a current key.
            text: the new text; None takes what the source that owns it holds now.
            because: why.
            owner: who answers for it; None for who did.
            source: a file of the repository that owns the text from now on.
            unbind: the store owns the text from now on.
            base: digest of the record that the text was made from; None for the one that is current now.
            volatility: as in ``remember``; where no day is given either, the window stays as long.
            review_on: as in ``remember``.
            expires_on: as in ``remember``.
            trigger: matchers and examples to add to its trigger, in the same change.
            dry_run: write nothing.
            ask: see ``init``.

        Raises:
            UsageError: the key is unknown, or says this already.
            ConflictError: the key is no longer at ``base``; it names both versions.
            RefusedError, BusyError, StorageError, CommitUnknownError: as in ``remember``.
        """
        from upheld.compose import verbs

        window = verbs.Window(volatility, review_on, expires_on)
        return verbs.correct(
            self, key, text, because=because, owner=owner, source=source, unbind=unbind, base_sha256=base,
            window=window, trigger=trigger, dry_run=dry_run, ask=ask,
        )  # fmt: skip

    def review(
        self,
        key: str,
        *,
        confirm: bool = False,
        evidence: str | None = None,
        reviewer: str | None = None,
        volatility: str | None = None,
        review_on: str | None = None,
        expires_on: str | None = None,
        dry_run: bool = False,
        ask: Ask | None = None,
    ) -> Review | Written:
        """Show what there is to judge about a key; with ``confirm``, record that it still holds and move its dates.

        Args:
            key: a current key.
            confirm: it was checked against reality.
            evidence: against what; required then.
            reviewer: who checked; None for who is writing.
            volatility: as in ``correct``.
            review_on: as in ``correct``.
            expires_on: as in ``correct``.
            dry_run: write nothing.
            ask: see ``init``.

        Raises:
            UsageError: the key is unknown, evidence is missing, or the source is not what was verified.
        """
        from upheld.compose import verbs

        window = verbs.Window(volatility, review_on, expires_on)
        return verbs.review(
            self, key, confirm=confirm, evidence=evidence, reviewer=reviewer, window=window, dry_run=dry_run, ask=ask
        )

    def retire(
        self, key: str, *, because: str, owner: str | None = None, dry_run: bool = False, ask: Ask | None = None
    ) -> Written:
        """Say of a key that it no longer applies: it is refused as retired from now on, and can be restored."""
        from upheld.compose import verbs

        return verbs.retire(self, key, because=because, owner=owner, dry_run=dry_run, ask=ask)

    def restore(
        self,
        key: str,
        *,
        to: str,
        because: str,
        owner: str | None = None,
        unbind: bool = False,
        volatility: str | None = None,
        review_on: str | None = None,
        expires_on: str | None = None,
        dry_run: bool = False,
        ask: Ask | None = None,
    ) -> Written:
        """Let an earlier version apply again, as a new version; brings a retired key back.

        Args:
            key: a current or retired key.
            to: a number, counted from 1; a record id; or the beginning of a digest.
            because: why.
            owner: as in ``correct``.
            unbind: as in ``correct``.
            volatility: as in ``correct``.
            review_on: as in ``correct``.
            expires_on: as in ``correct``.
            dry_run: write nothing.
            ask: see ``init``.
        """
        from upheld.compose import verbs

        window = verbs.Window(volatility, review_on, expires_on)
        return verbs.restore(
            self, key, to=to, because=because, owner=owner, unbind=unbind, window=window, dry_run=dry_run, ask=ask
        )

    def rename(self, key: str, new: str, *, because: str, dry_run: bool = False, ask: Ask | None = None) -> Written:
        """Give a key another name. No date moves; the old name says where the instruction went."""
        from upheld.compose import verbs

        return verbs.rename(self, key, new, because=because, dry_run=dry_run, ask=ask)

    def redact(
        self,
        key: str,
        *versions: str,
        with_reasons: bool = False,
        dry_run: bool = False,
        ask: Ask | None = None,
    ) -> Written:
        """Take the texts of superseded versions out of the store; ``notes`` name what this cannot reach.

        Args:
            key: a current or retired key.
            versions: which, as in ``restore``.
            with_reasons: their reasons and evidence as well.
            dry_run: write nothing.
            ask: see ``init``.
        """
        from upheld.compose import verbs

        return verbs.redact(self, key, versions, with_reasons=with_reasons, dry_run=dry_run, ask=ask)

    # --- the write gate: anybody proposes, a person decides ----------------------------------------------------------

    def propose(
        self,
        key: str,
        text: str = "",
        *,
        kind: str | None = None,
        when: str = "",
        because: str = "",
        fires: Iterable[str] = (),
        nots: Iterable[str] = (),
        base: str = "",
        owner: str = "",
        volatility: str = "",
        review_on: str = "",
        expires_on: str = "",
        source: str = "",
        asker: Asker | None = None,
    ) -> Proposed:
        """Put a wish into the inbox. Needs no key, takes no lock, and nothing of it is ever served.

        Args:
            key: what it is about.
            text: the whole text, for a new key and a correction.
            kind: ``new``, ``correction``, ``retirement`` or ``triggers``; None for what fits the key.
            when: when it applies, as a sentence; leaves the trigger as it is where it is empty.
            because: why.
            fires: examples of tasks that it governs.
            nots: examples of tasks that it does not govern.
            base: digest of the record that it was made from; empty for the one that is current now.
            owner: who answers for it; empty for whoever approves a new key, or who did.
            volatility: as in ``remember``; empty for the usual.
            review_on: a day; empty for the usual.
            expires_on: a day; empty for the usual.
            source: where an import found it.
            asker: who asks.

        Raises:
            UsageError: it asks for what cannot be.
            RefusedError: the screen refuses it; nothing is written.
            NoStoreError, StorageError: there is no store, or the disk failed.
        """
        from upheld.compose import proposals
        from upheld.model.proposal import Asker

        made = proposals.wanted(
            key, asker=asker or Asker(channel="library"), kind=kind, text=text, read_when=when, because=because,
            fires=tuple(fires), nots=tuple(nots), base_sha256=base, owner=owner, volatility=volatility,
            review_on=review_on, expires_on=expires_on, source=source,
        )  # fmt: skip
        return proposals.propose(self, made)

    def inbox(self) -> Inbox:
        """List the proposals that wait, oldest first."""
        from upheld.compose import proposals

        return proposals.inbox(self)

    def show(self, proposal_id: str, *, text: str | None = None) -> ProposalView:
        """Return everything that a decision about one proposal rests on.

        Args:
            proposal_id: its id, or the beginning of it.
            text: the text as a person edited it; None for the proposal's own.

        Raises:
            UsageError: no proposal has this id.
            RefusedError: it cannot be read, or the store is not admitted.
        """
        from upheld.compose import proposals

        return proposals.show(self, proposal_id, text=text)

    def approve(
        self,
        proposal_id: str,
        *,
        sha256: str | None = None,
        text: str | None = None,
        dry_run: bool = False,
        ask: Ask | None = None,
    ) -> Decided | Written:
        """Make a version of one proposal.

        Args:
            proposal_id: its id, or the beginning of it.
            sha256: the digest that was shown (``ProposalView.sha256``). Required: an approval is of exact bytes.
            text: the text as a person edited it; None for the proposal's own.
            dry_run: write nothing; return every file as it would be.
            ask: the person. None only where the trust root's policy automates ``approve``.

        Raises:
            RefusedError: POL030, it is no longer what was shown; POL031, it was approved before; POL050, nobody is
                asked; or the screen refuses it.
            UsageError, ConflictError, NoKeyError, BusyError, StorageError, CommitUnknownError: as for ``correct``.
        """
        from upheld.compose import proposals

        return proposals.approve(self, proposal_id, sha256=sha256, text=text, dry_run=dry_run, ask=ask)

    def reject(self, proposal_id: str, *, because: str, sha256: str | None = None) -> Decided:
        """Turn a proposal down. A sketch of its text is kept in this user's state, so that it does not come back."""
        from upheld.compose import proposals

        return proposals.reject(self, proposal_id, because=because, sha256=sha256)

    def decide(self, decisions: Iterable[Decision], *, ask: Ask | None = None) -> Decided:
        """Carry out many decisions; everything that is approved goes into one sealed commit."""
        from upheld.compose import proposals

        return proposals.decide(self, decisions, ask=ask)

    def rejections(self) -> tuple[Rejection, ...]:
        """Return what this user rejected here: never the texts, only what they were about."""
        from upheld.compose import proposals

        return proposals.rejections(self)

    def lift(self, proposal_id: str) -> None:
        """Let a rejected text be proposed again.

        Raises:
            UsageError: nothing was rejected here under this id.
        """
        from upheld.compose import proposals

        proposals.lift(self, proposal_id)

    def endorse(self, proposal_id: str, *, sha256: str, client: str, protocol: str) -> None:
        """Note that an acceptance came through an agent's client. It approves nothing; a person still decides."""
        from upheld.compose import proposals

        proposals.endorse(self, proposal_id, sha256=sha256, client=client, protocol=protocol)

    def import_folder(self, folder: str | os.PathLike[str]) -> Imported:
        """Make a proposal of every Markdown file in a folder. What is skipped says why."""
        from upheld.compose import importing

        return importing.import_folder(self, os.fspath(folder))

    # --- looking after a store --------------------------------------------------------------------------------------

    def diff(self, key: str, old: str | None = None, new: str | None = None) -> Comparison:
        """Compare two versions of a key; by default the newest and the one before."""
        from upheld.compose import verbs

        return verbs.diff(self, key, old, new)

    def due(self, *, within: int = 0) -> Due:
        """Return what needs review or expires within so many days, soonest first."""
        from upheld.compose import verbs

        return verbs.due(self, within=within)

    def gc(self, *, dry_run: bool = False, ask: Ask | None = None) -> Collected:
        """Remove files that nothing names, after a grace period."""
        from upheld.compose import verbs

        return verbs.gc(self, dry_run=dry_run, ask=ask)

    def doctor(self, *, fix: bool = False, ask: Ask | None = None) -> Diagnosis:
        """Say everything that is wrong with the store and what mends it; with ``fix``, do what is safe."""
        from upheld.compose import verbs

        return verbs.doctor(self, fix=fix, ask=ask)


def _cores() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, 8)


def open(
    path: str | os.PathLike[str] | None = None,
    *,
    unsealed: bool = False,
    as_of: str | None = None,
    pin: str | None = None,
    key: str | None = None,
) -> Memory:
    """Open a store.

    Args:
        path: the store's folder; None for ``UPHELD_STORE`` or the nearest ``.upheld`` upward.
        unsealed: accept a store that carries no seal.
        as_of: judge dates by this day instead of today.
        pin: ``DIGEST@VERSION`` of a trust root, where this machine keeps no state of the store.
        key: what seals: a private key file, ``agent`` or ``agent:FINGERPRINT``.

    Raises:
        NoStoreError: no path was given and there is no store here or above.
    """
    root = state_root(os.environ)
    named = None if path is None else os.fspath(path)
    location = locate(named, os.environ, os.getcwd(), lambda place: is_pinned_at(root, place))
    return Memory(path=location.path, why=location.why, unsealed=unsealed, as_of=as_of, pin=pin, key=key)
