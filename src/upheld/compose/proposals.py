"""The write gate of the library, bound to a memory. ``Memory`` has each verb under the same name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from upheld.compose.clock import instant
from upheld.compose.judging import judging, texts_of
from upheld.compose.person import writer_name
from upheld.compose.writing import agreed, demand_person, nonce, pinned_root, recover_for, screened, writer_for
from upheld.errors import FaultError, StorageError, UsageError
from upheld.model.proposal import Asker, Proposal
from upheld.model.proposal_view import APPROVE, REJECT, SKIP, Decided, Decision, Inbox, ProposalView, Proposed
from upheld.model.remembered import Rejection
from upheld.model.value import Value
from upheld.services import approve as approve_service
from upheld.services import inbox as inbox_service
from upheld.services import propose as propose_service
from upheld.services import reject as reject_service
from upheld.services.admission import Gate
from upheld.services.base import Base
from upheld.services.commit import Writer, commit, load
from upheld.services.prepared import Prepared
from upheld.services.preview import preview
from upheld.services.screening import Judge
from upheld.stores.proposal_box import ProposalBox
from upheld.stores.text_memory import TextMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory
    from upheld.model.written import Written
    from upheld.ports.person import Ask


class Desk(Value):
    """One store opened for its proposals: read and judged, with nothing locked and no key unlocked."""

    writer: Writer
    gate: Gate
    base: Base
    box: ProposalBox
    texts: TextMemory
    judge: Judge


@contextmanager
def desk_of(memory: Memory, verb: str) -> Iterator[Desk]:
    """Open it.

    Raises:
        NoStoreError: the folder is not there.
        RefusedError: its index is not admitted.
        FaultError: the screen's policy or memory cannot be trusted.
    """
    with writer_for(memory, verb, None, dry_run=True) as writer, ProposalBox(memory.path) as box:
        gate = _gate(memory, writer)
        base = load(writer)
        with judging(gate, base) as judge:
            yield Desk(writer=writer, gate=gate, base=base, box=box, texts=texts_of(gate), judge=judge)


def _gate(memory: Memory, writer: Writer) -> Gate:
    from upheld.compose.gate import gate_for

    return gate_for(writer.store, memory.path, unsealed=memory.unsealed, pin=memory.pin, remembers=False)


def propose(memory: Memory, wanted: Proposal) -> Proposed:
    """See ``Memory.propose``."""
    at = instant()
    fresh = wanted.replace(id=f"{at[:10].replace('-', '')}-{secrets.token_hex(5)}", at=at)
    with desk_of(memory, "propose") as desk:
        return propose_service.propose(desk.box, desk.base, fresh, desk.judge)


def wanted(key: str, *, asker: Asker, **fields: object) -> Proposal:
    """Return a proposal that has no id and no time yet."""
    return Proposal(id="0000", kind=str(fields.pop("kind", None) or ""), key=key, at="", asker=asker).replace(**fields)


def inbox(memory: Memory) -> Inbox:
    """See ``Memory.inbox``. Reads the folder alone: what waits can be listed whatever state the store is in."""
    with ProposalBox(memory.path) as box:
        return inbox_service.inbox(box)


def show(memory: Memory, proposal_id: str, *, text: str | None = None) -> ProposalView:
    """See ``Memory.show``."""
    with desk_of(memory, "show") as desk:
        return inbox_service.show(desk.box, desk.base, inbox_service.find(desk.box, proposal_id), desk.judge, text=text)


def decide(memory: Memory, decisions: Iterable[Decision], *, ask: Ask | None) -> Decided:
    """Carry decisions out: what is approved in one sealed commit, then what is rejected.

    Raises:
        RefusedError: POL050, nobody is asked; POL030 or POL031; or the screen refuses. Nothing was changed.
        NoKeyError: there is no key here that may seal, or the person said no.
        ConflictError, BusyError, StorageError, CommitUnknownError: see ``services.commit``.
    """
    made = tuple(decisions)
    accepted = [one for one in made if one.act == APPROVE]
    rejected = [one for one in made if one.act == REJECT]
    done = _approve(memory, accepted, ask) if accepted else Decided()
    notes = list(done.notes)
    if rejected:
        notes += _reject(memory, rejected)
    return done.replace(
        rejected=tuple(one.id for one in rejected),
        left=tuple(one.id for one in made if one.act == SKIP),
        notes=tuple(notes),
    )


def _approve(memory: Memory, accepted: list[Decision], ask: Ask | None) -> Decided:
    with desk_of(memory, "approve") as desk:
        demand_person(pinned_root(desk.gate), "approve", ask)
        _check_again(desk, accepted)
        plan = approve_service.plan_approvals(
            desk.box,
            accepted,
            reviewer=writer_name(os.environ, os.path.dirname(memory.path)),
            nonce=nonce,
            recover=recover_for(memory),
        )
        prepared = Prepared(plan=plan, key=_about(accepted))
        planned = screened(desk.gate, desk.base, prepared, preview(desk.writer, desk.base, prepared, "approve"))
        agreed(ask, planned)
        with writer_for(memory, "approve", ask) as writer:
            done = commit(writer, plan)
        notes = _clear(desk.box, accepted)
    ids = tuple(one.id for one in accepted)
    return Decided(
        approved=ids, version=done.version, index_sha256=done.index_sha256, warning=done.warning, notes=tuple(notes)
    )


def _check_again(desk: Desk, accepted: list[Decision]) -> None:
    """Screen each as a proposal, with the text as it was edited: an echo refuses here too."""
    from upheld.services.screening import demand, screen_proposal

    for one in accepted:
        proposal = approve_service.shown(desk.box, one, desk.base.today)
        as_decided = proposal if one.text is None else proposal.replace(text=one.text)
        # A proposal that was approved before echoes itself; the plain reason comes first.
        approve_service.refuse_replay(desk.base, proposal)
        demand([screen_proposal(desk.base, as_decided, desk.judge)], desk.base.today)


def _about(accepted: list[Decision]) -> str:
    return accepted[0].id if len(accepted) == 1 else f"{len(accepted)} proposals"


def _clear(box: ProposalBox, accepted: list[Decision]) -> list[str]:
    """Remove what was approved. A file that stays is no fault: approving it again is refused."""
    notes = []
    for one in accepted:
        try:
            box.delete(one.id)
        except StorageError as error:
            notes.append(f"{one.id} is approved, but {error.message}")
    return notes


def _reject(memory: Memory, rejected: list[Decision]) -> list[str]:
    with desk_of(memory, "reject") as desk:
        for one in rejected:
            reject_service.reject(desk.box, desk.base, desk.texts, one, desk.judge, at=instant())
    return []


def approve(
    memory: Memory, proposal_id: str, *, sha256: str | None, text: str | None, dry_run: bool, ask: Ask | None
) -> Decided | Written:
    """See ``Memory.approve``."""
    with ProposalBox(memory.path) as box:
        found = inbox_service.find(box, proposal_id)
        if sha256 is None:
            raise UsageError("which bytes are approved?", help=f"give the digest that `upheld show {found}` prints")
    decision = Decision(id=found, sha256=sha256, act=APPROVE, text=text)
    if dry_run:
        return _planned(memory, decision)
    return decide(memory, [decision], ask=ask)


def _planned(memory: Memory, decision: Decision) -> Written:
    with desk_of(memory, "approve") as desk:
        _check_again(desk, [decision])
        plan = approve_service.plan_approvals(
            desk.box, [decision], reviewer=writer_name(os.environ, os.path.dirname(memory.path)), nonce=nonce
        )
        prepared = Prepared(plan=plan, key=decision.id)
        return screened(desk.gate, desk.base, prepared, preview(desk.writer, desk.base, prepared, "approve"))


def reject(memory: Memory, proposal_id: str, *, because: str, sha256: str | None) -> Decided:
    """See ``Memory.reject``."""
    with desk_of(memory, "reject") as desk:
        found = inbox_service.find(desk.box, proposal_id)
        digest = sha256 or _digest(desk.box, found)
    return decide(memory, [Decision(id=found, sha256=digest, act=REJECT, because=because)], ask=None)


def _digest(box: ProposalBox, proposal_id: str) -> str:
    from upheld.wire.digest import sha256_hex

    try:
        return sha256_hex(box.read(proposal_id))
    except FaultError:
        return ""  # it cannot be read, so it is only removed


def rejections(memory: Memory) -> tuple[Rejection, ...]:
    """See ``Memory.rejections``."""
    with writer_for(memory, "reject", None, dry_run=True) as writer:
        return texts_of(_gate(memory, writer)).load().rejections


def lift(memory: Memory, proposal_id: str) -> None:
    """See ``Memory.lift``."""
    with writer_for(memory, "reject", None, dry_run=True) as writer:
        reject_service.lift(texts_of(_gate(memory, writer)), proposal_id)


def endorse(memory: Memory, proposal_id: str, *, sha256: str, client: str, protocol: str) -> None:
    """See ``Memory.endorse``."""
    with desk_of(memory, "endorse") as desk:
        decision = Decision(id=inbox_service.find(desk.box, proposal_id), sha256=sha256, act=APPROVE)
        reject_service.endorse(desk.box, desk.base, decision, client=client, protocol=protocol, at=instant())
