"""review: what a person needs to judge whether an instruction still holds, and the version that records their yes."""

from __future__ import annotations

from upheld.checks import check_chain
from upheld.errors import UsageError
from upheld.model.chain import Chain
from upheld.model.record import Record
from upheld.model.reports import Review
from upheld.policy.windows import days_between
from upheld.services.base import Base
from upheld.services.chains import number_of
from upheld.services.correct import served
from upheld.services.versions import Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Recover

_CHANGED = frozenset({"SRC001", "SRC002", "SRC004", "HSH001", "STO001"})
_STATES = {"DAT002": "expired", "DAT001": "due"}


def review(base: Base, key: str, recover: Recover) -> Review:
    """Return what there is to judge.

    Raises:
        UsageError: the key is unknown.
        RefusedError: its chain is damaged beyond what a review or a correction mends.
    """
    chain = base.current(key)
    _, record = served(chain)
    codes = [finding.code for finding in check_chain(chain, base.today)]
    is_changed = bool(_CHANGED & set(codes))
    state = "changed" if is_changed else next((name for code, name in _STATES.items() if code in codes), "current")
    return Review(
        key=key,
        state=state,
        text=_text(verified_text(chain, record, recover)),
        now=_text(live_text(chain)) if is_changed else None,
        source=record.bound_source or record.durable_source,
        record_id=record.id,
        record_sha256=record.sha256,
        number=number_of(chain, record.id),
        age=days_between(record.last_verified, base.today) if record.last_verified else None,
        last_verified=record.last_verified,
        review_on=record.review_on,
        expires_on=record.expires_on,
        owner=record.owner,
        evidence=record.evidence,
        reviewed_by=record.reviewed_by,
        change_reason=record.change_reason,
        is_bound=record.bound_source is not None,
        as_of=base.today,
    )


def verified_text(chain: Chain, record: Record, recover: Recover) -> bytes | None:
    """Return the bytes that were verified; None where they are lost."""
    source = chain.current.source
    if source is not None and source.sha256 == record.source_sha256:
        return source.data
    return recover(record.durable_source, record.source_sha256)


def live_text(chain: Chain) -> bytes | None:
    """Return what the source that owns the text holds now: the bound file, else the store's own."""
    live = chain.bound if chain.bound is not None else chain.current.source
    return live.data if live is not None else None


def confirmed(base: Base, key: str, *, evidence: str, reviewer: str, review_on: str, expires_on: str) -> Draft:
    """Return the version that says the same and that somebody has checked against reality.

    Raises:
        UsageError: the source is not what was verified; that takes a correction, not a confirmation.
    """
    chain = base.current(key)
    _, record = served(chain)
    source = chain.current.source
    if _CHANGED & {finding.code for finding in check_chain(chain, base.today)} or source is None or source.data is None:
        raise UsageError(
            f"the source of `{key}` is not what was verified, so there is nothing to confirm",
            help=f"see `upheld review {key}`; if the change is meant, `upheld correct {key}`; if not, restore the file",
        )
    return Draft(
        key=key,
        text=source.data,
        because=f"reviewed: {evidence}",
        owner=record.owner,
        review_on=review_on,
        expires_on=expires_on,
        evidence=evidence,
        reviewed_by=reviewer,
        bound_source=record.bound_source,
    )


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "backslashreplace")
