"""reject, lift, endorse: the decisions that seal nothing."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.proposal import Endorsement
from upheld.model.proposal_view import Decision
from upheld.model.remembered import Rejection
from upheld.policy.rejected import fingerprints
from upheld.ports.proposals import Proposals, Texts
from upheld.services.approve import shown
from upheld.services.base import Base
from upheld.services.propose import read_or_finding
from upheld.services.screening import Judge, screen_proposal
from upheld.wire import proposal as wire

MAX_ENDORSEMENTS = 16


def reject(box: Proposals, base: Base, texts: Texts, decision: Decision, judge: Judge, *, at: str) -> None:
    """Turn a proposal down: remember a sketch of its text here, then remove it.

    The sketch leaves out what the screen marked, so no secret is kept in any form. It lies in the reviewer's own state
    and never in the store or its log. A proposal that cannot be read is only removed.

    Raises:
        RefusedError: POL030, it is not the one that was shown.
        StorageError: the memory or the box cannot be written.
    """
    proposal, _, _ = read_or_finding(box, decision.id)
    if proposal is not None:
        shown(box, decision, base.today)
        spans = screen_proposal(base, proposal, judge).screening.spans("text")
        sketch = fingerprints(proposal.text, spans)
        texts.reject(Rejection(id=proposal.id, key=proposal.key, at=at, because=decision.because, sketch=sketch))
    box.delete(decision.id)


def lift(texts: Texts, proposal_id: str) -> None:
    """Let a rejected text be proposed again.

    Raises:
        UsageError: nothing was rejected under this id.
        StorageError: the memory cannot be written.
    """
    if not texts.lift(proposal_id):
        raise UsageError(f"nothing was rejected here under {proposal_id!r:.80}", help="see `upheld reject --list`")


def endorse(box: Proposals, base: Base, decision: Decision, *, client: str, protocol: str, at: str) -> None:
    """Note that an acceptance came through an agent's client. It approves nothing.

    Raises:
        RefusedError: POL030, the proposal is not the one that the acceptance was about.
        UsageError: it has been endorsed often enough.
        StorageError: it cannot be written.
    """
    proposal = shown(box, decision, base.today)
    others = tuple(one for one in proposal.endorsements if one.client != client)
    if len(others) >= MAX_ENDORSEMENTS:
        raise UsageError("this proposal is endorsed by enough clients already", help="a person decides about it")
    fresh = Endorsement(client=client[:200], protocol=protocol[:200], at=at)
    data = wire.encode(proposal.replace(endorsements=(*others, fresh)))
    wire.decode(data, wire.name_of(proposal.id))
    box.replace(decision.id, data)
