"""inbox and show: what waits, and everything that a decision about one proposal rests on. Reads only."""

from __future__ import annotations

from upheld.errors import ConflictError, RefusedError, UpheldError, UsageError
from upheld.model.answer import Refusal
from upheld.model.finding import Finding
from upheld.model.index import Pointer
from upheld.model.names import is_key, short
from upheld.model.proposal import NEW, Proposal
from upheld.model.proposal_view import Decision, Inbox, InboxLine, ProposalView
from upheld.ports.proposals import Proposals
from upheld.services.approve import combined, days_of, new_text, plan_approvals
from upheld.services.base import Base
from upheld.services.propose import read_or_finding
from upheld.services.screening import Judge, screen_proposal
from upheld.wire.digest import sha256_hex

MAX_LINES = 500


def inbox(box: Proposals) -> Inbox:
    """List what waits, oldest first. What cannot be read is a line too."""
    ids = box.ids()
    lines = [_line(box, one) for one in ids[:MAX_LINES]]
    return Inbox(lines=tuple(sorted(lines, key=lambda line: (line.at, line.id))), total=len(ids))


def find(box: Proposals, start: str) -> str:
    """Return the one id that begins with ``start``.

    Raises:
        UsageError: none does, or several do.
    """
    ids = box.ids()
    found = [one for one in ids if one == start] or [one for one in ids if start and one.startswith(start)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{len(found)} proposals begin with {start!r:.80}", help="give more of the id")
    raise UsageError(f"no proposal has the id {start!r:.80}", help="see `upheld inbox`")


def show(box: Proposals, base: Base, proposal_id: str, judge: Judge, *, text: str | None = None) -> ProposalView:
    """Read one proposal, screen it now, and work out what an approval would do.

    Args:
        box: where it lies.
        base: the admitted version.
        proposal_id: which.
        judge: policy, memory and clock.
        text: the text as a person edited it; None for the proposal's own.

    Raises:
        RefusedError: the proposal cannot be read.
    """
    proposal, data, problem = read_or_finding(box, proposal_id)
    if proposal is None:
        findings = (problem or Finding(code="STO006", place=proposal_id),)
        Refusal(key="", findings=findings, as_of=base.today).require()
        raise AssertionError("a refusal raises")
    as_decided = proposal if text is None else proposal.replace(text=text)
    judged = screen_proposal(base, as_decided, judge)
    sha256 = sha256_hex(data)
    decision = Decision(id=proposal_id, sha256=sha256, act="approve", text=text)
    pointer = base.pointer(proposal.key) if is_key(proposal.key) else None
    before = next((one.text for one in judged.around.instructions if one.key == proposal.key), "")
    days = _days(base, proposal)
    return ProposalView(
        proposal=proposal,
        sha256=sha256,
        screening=judged.screening,
        notes=judged.notes,
        before=before,
        after=new_text(proposal, decision) if proposal.has_text else "",
        read_when=proposal.read_when or (pointer.read_when if pointer is not None else ""),
        was_read_when=pointer.read_when if pointer is not None else "",
        review_on=days[0],
        expires_on=days[1],
        also_fires=judged.also_fires or (),
        faults=_faults(box, base, proposal, decision, pointer),
    )


def _line(box: Proposals, proposal_id: str) -> InboxLine:
    proposal, _, problem = read_or_finding(box, proposal_id)
    if proposal is None:
        return InboxLine(id=proposal_id, problem=problem)
    asker = proposal.asker
    return InboxLine(
        id=proposal_id,
        kind=proposal.kind,
        key=proposal.key,
        at=proposal.at,
        asker=" ".join(part for part in (asker.client, asker.agent, asker.channel) if part),
        because=proposal.because,
        flags=tuple(sorted({flag.code for flag in proposal.flags})),
        endorsed=len(proposal.endorsements),
    )


def _days(base: Base, proposal: Proposal) -> tuple[str, str]:
    try:
        return days_of(base, proposal) if proposal.has_text else ("", "")
    except UpheldError:
        return "", ""  # `_faults` says why


def _faults(
    box: Proposals, base: Base, proposal: Proposal, decision: Decision, pointer: Pointer | None
) -> tuple[str, ...]:
    """Say why an approval would fail, by working it out without writing."""
    if not is_key(proposal.key):
        return (f"{proposal.key!r:.80} cannot be a key",)
    now = pointer.record_sha256 if pointer is not None else ""
    if proposal.kind != NEW and pointer is not None and now != proposal.base_sha256:
        return (f"`{proposal.key}` has moved on: made from {short(proposal.base_sha256)}, now {short(now)}",)
    try:
        combined([plan_approvals(box, [decision], reviewer="?", nonce=lambda: "0000")(base)])
    except RefusedError as error:
        # The opening of a text is a check of the screen as well, and is shown with its findings.
        return () if _is_screened(error) else (error.message,)
    except (UsageError, ConflictError) as error:
        return (error.message,)
    return ()


def _is_screened(error: RefusedError) -> bool:
    return isinstance(error.refusal, Refusal) and "POL020" <= error.refusal.code <= "POL025"
