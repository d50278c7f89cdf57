"""Walk through the inbox at a terminal: one key a decision, undo included, everything carried out at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from upheld.cli.asking import edited, person
from upheld.cli.deciding import Decider
from upheld.cli.keys import Keys
from upheld.compose.library import Memory
from upheld.errors import NoKeyError, RefusedError, UsageError
from upheld.model.proposal_view import APPROVE, REJECT, SKIP, Decided, Decision, ProposalView
from upheld.render.escape import escape
from upheld.render.proposal import text_view

_ASKS = "[y] approve  [n] reject  [e] edit and approve  [s] skip  [u] undo  [q] end: "
_ACTS = {"y": APPROVE, "n": REJECT, "s": SKIP}
_REASON = "rejected in a review"


def walk(memory: Memory) -> Decided:
    """Show each proposal, take decisions, and carry them out.

    Raises:
        UsageError: nobody watches.
        NoKeyError: the person said no at the end; nothing was changed.
    """
    source = person()
    if source is None:
        raise UsageError(
            "a review is a person's, and there is no terminal here", help="`upheld inbox` lists what waits"
        )
    source.close()
    ids = [line.id for line in memory.inbox().lines]
    with Keys() as keys:
        decisions = _decide(memory, ids, keys)
    if not any(one.act in (APPROVE, REJECT) for one in decisions):
        return Decided(left=tuple(ids))
    decided = {one.id for one in decisions}
    rest = tuple(Decision(id=one, sha256="", act=SKIP) for one in ids if one not in decided)
    _say(f"\n{_summary(decisions)}\n")
    if not any(one.act == APPROVE for one in decisions) and not click.confirm("reject them?", err=True):
        raise NoKeyError("you said no: nothing was changed")
    return memory.decide((*decisions, *rest), ask=Decider())


def _decide(memory: Memory, ids: list[str], keys: Keys) -> list[Decision]:
    made: list[Decision] = []
    at = 0
    while at < len(ids):
        view = _shown(memory, ids[at], f"\n--- {at + 1} of {len(ids)} ---\n")
        for act in _answers(keys):
            if act == "q":
                return made
            if act == "u" and made:
                undone = made.pop()
                at = ids.index(undone.id) - 1
                _say(f"undone: {undone.act} {undone.id}\n")
                break
            decision = _decision(memory, ids[at], view, act, made, keys)
            if decision is not None:
                made.append(decision)
                break
        at += 1
    return made


def _shown(memory: Memory, proposal_id: str, heading: str) -> ProposalView | None:
    """Show one; None where it cannot be read, so that it can only be rejected or skipped."""
    _say(heading)
    try:
        view = memory.show(proposal_id)
    except RefusedError as error:
        _say(f"{proposal_id} cannot be read: {escape(error.message)}\n")
        return None
    except UsageError as error:
        _say(f"{escape(error.message)}\n")
        return None
    _say(text_view(view))
    return view


def _answers(keys: Keys) -> Iterator[str]:
    """Yield keys until the caller has what it needs."""
    while True:
        _say(_ASKS)
        act = keys.next().lower()
        _say(f"{escape(act)}\n")
        yield act


def _decision(
    memory: Memory, proposal_id: str, view: ProposalView | None, act: str, made: list[Decision], keys: Keys
) -> Decision | None:
    sha256 = view.sha256 if view is not None else ""
    if act in ("n", "s"):
        return Decision(id=proposal_id, sha256=sha256, act=_ACTS[act], because=_REASON if act == "n" else "")
    if act not in ("y", "e"):
        return None
    if view is None:
        _say("it cannot be read, so it cannot be approved\n")
        return None
    text = None
    if act == "e":
        text = _edited(view, keys)
        view = memory.show(proposal_id, text=text) if text is not None else view
        _say(text_view(view) if text is not None else "")
        if text is None:
            return None
    if not view.can_be_approved:
        _say("it cannot be approved as it is\n")
        return None
    if any(one.act == APPROVE and _key_of(memory, one) == view.proposal.key for one in made):
        _say(f"another proposal about `{escape(view.proposal.key)}` is approved in this review: skip this one\n")
        return None
    return Decision(id=proposal_id, sha256=view.sha256, act=APPROVE, text=text)


def _key_of(memory: Memory, decision: Decision) -> str:
    return next((line.key for line in memory.inbox().lines if line.id == decision.id), "")


def _edited(view: ProposalView, keys: Keys) -> str | None:
    try:
        with keys.paused():
            return edited(view.after).decode("utf-8", "replace")
    except UsageError as error:
        _say(f"{escape(error.message)}\n")
        return None


def _summary(decisions: list[Decision]) -> str:
    counts = {act: sum(one.act == act for one in decisions) for act in (APPROVE, REJECT, SKIP)}
    return f"{counts[APPROVE]} to approve, {counts[REJECT]} to reject, {counts[SKIP]} to leave"


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
