"""propose: put a wish into the inbox. No key, no lock, and nothing that a read path returns."""

from __future__ import annotations

from datetime import datetime, timedelta

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError, UsageError
from upheld.model.draft import ScreenPolicy
from upheld.model.finding import Finding
from upheld.model.names import is_key
from upheld.model.proposal import CORRECTION, KINDS, NEW, RETIREMENT, TRIGGERS, Asker, Flag, Proposal
from upheld.model.proposal_view import Proposed
from upheld.policy.windows import choose
from upheld.ports.proposals import Proposals
from upheld.services.base import Base
from upheld.services.remember import check_new_key
from upheld.services.screening import Judge, Judged, demand, screen_proposal
from upheld.wire import proposal as wire
from upheld.wire.digest import sha256_hex

MAX_WORDS = 600
"""How many characters of the words that led to a proposal are kept."""


def propose(box: Proposals, base: Base, wanted: Proposal, judge: Judge) -> Proposed:
    """Judge a proposal and put it into the inbox.

    Args:
        box: where it goes.
        base: the version that it is made from.
        wanted: what is wanted; an empty ``kind`` is worked out, an empty ``base_sha256`` filled in.
        judge: policy, memory and clock.

    Raises:
        UsageError: it asks for something that cannot be: a key that is none, is taken, or is not there.
        RefusedError: the screen refuses it; nothing is written.
        StorageError: it cannot be written.
    """
    proposal = completed(base, wanted)
    pending, recent = counts(box, proposal, judge.policy)
    judged = screen_proposal(base, proposal, judge, pending=pending, recent=recent)
    refused_words = [name for name in _refused_fields(judged) if name.startswith("asker.")]
    if refused_words:
        # Who asked matters less than what is asked: words that the screen refuses are dropped, and that is said.
        said = proposal.asker.replace(**{name.removeprefix("asker."): "" for name in refused_words})
        proposal = proposal.replace(asker=said)
        judged = screen_proposal(base, proposal, judge, pending=pending, recent=recent)
    demand([judged], base.today)
    flags = tuple(Flag(code=finding.code, field=finding.path) for finding in judged.screening.findings)
    data = wire.encode(proposal.replace(flags=flags))
    wire.decode(data, wire.name_of(proposal.id))
    box.put_new(proposal.id, data)
    notes = (*judged.notes, *(f"{name} is not kept: the screen refused it" for name in refused_words))
    return Proposed(id=proposal.id, kind=proposal.kind, key=proposal.key, sha256=sha256_hex(data), notes=notes)


def completed(base: Base, wanted: Proposal) -> Proposal:
    """Return the proposal with its kind and base, having checked that what it asks for can be.

    Raises:
        UsageError: it cannot.
    """
    pointer = base.pointer(wanted.key) if is_key(wanted.key) else None
    kind = wanted.kind or (NEW if pointer is None else CORRECTION)
    if kind not in KINDS:
        raise UsageError(f"--kind {kind!r:.40} is not known", help=f"one of {', '.join(KINDS)}")
    if kind == NEW:
        check_new_key(base, wanted.key)
    elif pointer is None:
        raise base.unknown(wanted.key)
    _check_words(kind, wanted)
    choose(
        base.today,
        volatility=wanted.volatility or None,
        review_on=wanted.review_on or None,
        expires_on=wanted.expires_on or None,
    )
    sha256 = wanted.base_sha256 or (pointer.record_sha256 if pointer is not None else "")
    asker = wanted.asker.replace(words=wanted.asker.words[:MAX_WORDS])
    return wanted.replace(kind=kind, base_sha256="" if kind == NEW else sha256, asker=asker)


def _check_words(kind: str, wanted: Proposal) -> None:
    missing = [
        (kind in (NEW, CORRECTION) and not wanted.text.strip(), "a text is wanted"),
        (kind == NEW and not wanted.read_when.strip(), "--when is missing: when does it apply?"),
        (kind != TRIGGERS and not wanted.because.strip(), "--because is missing: why?"),
        (kind == TRIGGERS and not (wanted.fires or wanted.nots or wanted.read_when), "examples are wanted"),
        (kind in (RETIREMENT, TRIGGERS) and bool(wanted.text), f"a proposal of the kind {kind} brings no text"),
    ]
    for is_wrong, message in missing:
        if is_wrong:
            raise UsageError(message, help="`upheld propose --help` shows an example of each kind")


def counts(box: Proposals, proposal: Proposal, policy: ScreenPolicy) -> tuple[int, int]:
    """Return how many proposals wait, and how many this proposer made within the hour before this one."""
    ids = box.ids()
    if len(ids) >= policy.max_pending:
        return len(ids), 0
    since = _an_hour_before(proposal.at)
    made = (read_or_finding(box, one)[0] for one in ids)
    recent = sum(one is not None and one.at >= since and _is_same(one.asker, proposal.asker) for one in made)
    return len(ids), recent


def read_or_finding(box: Proposals, proposal_id: str) -> tuple[Proposal | None, bytes, Finding | None]:
    """Read one proposal, or say what is wrong with it."""
    try:
        data = box.read(proposal_id)
        return wire.decode(data, wire.name_of(proposal_id)), data, None
    except FaultError as fault:
        return None, b"", finding_of(fault)


def _an_hour_before(at: str) -> str:
    return (datetime.fromisoformat(at) - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _is_same(one: Asker, other: Asker) -> bool:
    return (one.client, one.agent, one.channel) == (other.client, other.agent, other.channel)


def _refused_fields(judged: Judged) -> list[str]:
    return sorted({r.finding.path for r in judged.screening.results if r.action == "refuse"})
