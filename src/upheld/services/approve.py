"""approve: proposals that a person accepted become versions, in one commit. Nothing here asks; compose does.

An approval is of exactly the bytes that were shown: the proposal is read again under the store's lock, and another
digest refuses. The record says that it came from a proposal and who decided, so a proposal that is put back after its
approval is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError, UsageError
from upheld.model.answer import Refusal
from upheld.model.change import Change, Event
from upheld.model.finding import Finding
from upheld.model.index import Pointer
from upheld.model.names import short
from upheld.model.proposal import CORRECTION, NEW, RETIREMENT, Proposal
from upheld.model.proposal_view import Decision
from upheld.policy.windows import choose, usual
from upheld.ports.proposals import Proposals
from upheld.services.base import Base
from upheld.services.correct import nothing, plan_correct, served
from upheld.services.current_instruction import examples_held
from upheld.services.remember import plan_remember
from upheld.services.retire import plan_retire
from upheld.services.versions import Draft
from upheld.services.wording import check_text
from upheld.wire import examples as wire_examples
from upheld.wire import proposal as wire
from upheld.wire.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Recover


def plan_approvals(
    box: Proposals,
    decisions: Iterable[Decision],
    *,
    reviewer: str,
    nonce: Callable[[], str],
    recover: Recover = nothing,
) -> Callable[[Base], Change]:
    """Return the plan that makes versions of accepted proposals: one commit, one event each, in the order given.

    Args:
        box: where the proposals lie.
        decisions: what was accepted, each with the digest that was shown; at most one a key.
        reviewer: who decided.
        nonce: gives four hexadecimal digits for a record's id.
        recover: gives bytes of the store's past.

    Raises:
        RefusedError: (by the plan) POL030, a proposal is not what was shown; POL031, it was approved before; or a text
            cannot be served as it is meant.
        UsageError: (by the plan) two are about one key, or one asks for what cannot be.
    """
    accepted = tuple((decision, nonce()) for decision in decisions)

    def plan(base: Base) -> Change:
        changes = []
        for decision, drawn in accepted:
            proposal = shown(box, decision, base.today)
            refuse_replay(base, proposal)
            changes.append(_one(base, proposal, decision, reviewer, drawn, recover))
        return combined(changes)

    return plan


def shown(box: Proposals, decision: Decision, today: str) -> Proposal:
    """Read a proposal and insist that it is the one that was shown.

    Raises:
        RefusedError: it is another one, is gone or is malformed.
    """
    place = wire.name_of(decision.id)
    try:
        data = box.read(decision.id)
        now = sha256_hex(data)
        if now == decision.sha256:
            return wire.decode(data, place)
        finding = Finding(code="POL030", place=place, facts=(("shown", short(decision.sha256)), ("now", short(now))))
    except FaultError as fault:
        finding = finding_of(fault)
    Refusal(key="", findings=(finding,), as_of=today).require()
    raise AssertionError("a refusal raises")


def refuse_replay(base: Base, proposal: Proposal) -> None:
    """Refuse a proposal that a record of its key came from already.

    Raises:
        RefusedError: POL031.
    """
    entry = base.pointer(proposal.key) or base.retired(proposal.key)
    records = [member.record for member in base.chain(entry).members] if entry is not None else []
    mark = mark_of(proposal.id)
    found = next((r for r in records if r is not None and (r.evidence or "").startswith(mark)), None)
    if found is not None:
        facts = (("approved as", found.id),)
        finding = Finding(code="POL031", place=wire.name_of(proposal.id), keys=(proposal.key,), facts=facts)
        Refusal(key=proposal.key, findings=(finding,), as_of=base.today).require()


def mark_of(proposal_id: str) -> str:
    """Return how the evidence of a record begins that came from a proposal."""
    return f"proposal {proposal_id} "


def evidence_of(proposal: Proposal, sha256: str, *, edited: bool) -> str:
    """Return what a record says of where it came from."""
    asker = proposal.asker
    by = " ".join(part for part in (asker.client, asker.agent) if part) or "somebody"
    through = f" through {asker.channel}" if asker.channel else ""
    session = f", session {asker.session}" if asker.session else ""
    endorsed = (
        f"; endorsed through {', '.join(e.client for e in proposal.endorsements)}" if proposal.endorsements else ""
    )
    changed = "; edited by the reviewer" if edited else ""
    return f"{mark_of(proposal.id)}(sha256 {sha256}) by {by}{through}{session}{endorsed}{changed}"


def new_text(proposal: Proposal, decision: Decision) -> str:
    """Return the text that would be written; it ends in a line end."""
    text = proposal.text if decision.text is None else decision.text
    return text if text.endswith("\n") else f"{text}\n"


def days_of(base: Base, proposal: Proposal) -> tuple[str, str]:
    """Return the days of review and expiry that a proposal would have.

    Raises:
        UsageError: they are impossible.
    """
    was = None
    if proposal.kind == CORRECTION:
        _, old = served(base.current(proposal.key))
        was = usual(old.last_verified, old.review_on, old.expires_on)
    return choose(
        base.today,
        volatility=proposal.volatility or None,
        review_on=proposal.review_on or None,
        expires_on=proposal.expires_on or None,
        usual=was,
    )


def _one(base: Base, proposal: Proposal, decision: Decision, reviewer: str, nonce: str, recover: Recover) -> Change:
    evidence = evidence_of(proposal, decision.sha256, edited=decision.text is not None)
    if proposal.kind == RETIREMENT:
        return plan_retire(
            proposal.key,
            because=proposal.because,
            base_sha256=proposal.base_sha256,
            nonce=nonce,
            evidence=evidence,
            reviewed_by=reviewer,
            recover=recover,
        )(base)
    if not proposal.has_text:
        return _with_examples(base, proposal, _pointer_change(base, proposal))
    review_on, expires_on = days_of(base, proposal)
    text = new_text(proposal, decision).encode("utf-8", "surrogatepass")
    check_text(proposal.key, text, base.today)
    draft = Draft(
        key=proposal.key,
        text=text,
        because=proposal.because,
        owner=proposal.owner or (reviewer if proposal.kind == NEW else served(base.current(proposal.key))[1].owner),
        review_on=review_on,
        expires_on=expires_on,
        evidence=evidence,
        reviewed_by=reviewer,
    )
    if proposal.kind == NEW:
        made = plan_remember(draft, read_when=proposal.read_when, trigger=None, nonce=nonce)(base)
    else:
        made = plan_correct(draft, base_sha256=proposal.base_sha256, nonce=nonce, recover=recover)(base)
    return _with_examples(base, proposal, made)


def _pointer_change(base: Base, proposal: Proposal) -> Change:
    """A change of the trigger alone: the record stays, and the log says that the pointer was touched."""
    pointer, record = served(base.current(proposal.key))
    return Change(
        events=(Event(verb="triggers", key=proposal.key, before=record.sha256, after=record.sha256),),
        files={},
        entries={proposal.key: pointer.fields},
        retired={},
        bases={proposal.key: proposal.base_sha256},
    )


def _with_examples(base: Base, proposal: Proposal, change: Change) -> Change:
    """Add a proposal's trigger sentence and examples to the pointer that its change leads to."""
    entry: dict[str, object] = dict(change.entries[proposal.key] or {})
    if proposal.read_when:
        entry["read_when"] = proposal.read_when
    files: dict[str, bytes] = {}
    replaces: tuple[str, ...] = ()
    if proposal.fires or proposal.nots:
        old = base.pointer(proposal.key)
        held = examples_held(base, old) if old is not None else wire_examples.Examples()
        fires = tuple(dict.fromkeys((*held.fires, *proposal.fires)))
        nots = tuple(dict.fromkeys((*held.nots, *proposal.nots)))
        name, data, digest = wire_examples.encode(proposal.key, held.replace(fires=fires, nots=nots))
        replaces = _old_examples(old, name)
        entry["trigger_sha256"] = digest
        files = {name: data}
    if entry == change.entries[proposal.key] and not change.files:
        raise UsageError(f"the trigger of `{proposal.key}` says this already", help="reject the proposal")
    return change.replace(
        files={**change.files, **files},
        entries={**change.entries, proposal.key: entry},
        replaces=(*change.replaces, *replaces),
    )


def _old_examples(old: Pointer | None, name: str) -> tuple[str, ...]:
    if old is None or old.trigger_sha256 is None:
        return ()
    was = wire_examples.place_of(old.key, old.trigger_sha256)
    return () if was == name else (was,)


def combined(changes: Iterable[Change]) -> Change:
    """Make one change of several that touch different keys.

    Raises:
        UsageError: two touch one key.
    """
    made = Change(events=(), files={}, entries={}, retired={}, bases={})
    for change in changes:
        twice = sorted(set(made.bases) & set(change.bases))
        if twice:
            raise UsageError(f"two decisions are about `{twice[0]}`", help="decide about one of them, then the other")
        files = {**made.files, **change.files}
        made = Change(
            events=(*made.events, *change.events),
            files=files,
            entries=_both(made.entries, change.entries),
            retired=_both(made.retired, change.retired),
            replaces=tuple(sorted({*made.replaces, *change.replaces} - set(files))),
            bases={**made.bases, **change.bases},
        )
    return made


def _both(
    one: Mapping[str, Mapping[str, object] | None], other: Mapping[str, Mapping[str, object] | None]
) -> dict[str, Mapping[str, object] | None]:
    return {**one, **other}
