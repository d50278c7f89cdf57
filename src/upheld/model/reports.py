"""What the reading verbs around writing report: a review, a comparison, what is due, what is loose, what is damaged."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding


class Review(Value):
    """What a person needs to judge whether an instruction still holds.

    Attributes:
        state: ``current``, ``due``, ``expired``, or ``changed`` (the source is not what was verified).
        text: the text as it was verified; None where its bytes are lost.
        now: the text as the source has it now, where that differs; None where the source is gone.
        age: days since it was last verified; None where the record does not say.
        number: which version it is, counted from 1.
        is_bound: a file of the repository owns the text.
    """

    key: str
    state: str
    text: str | None
    now: str | None
    source: str
    record_id: str
    record_sha256: str
    number: int
    age: int | None
    last_verified: str | None
    review_on: str
    expires_on: str
    owner: str | None
    evidence: str | None
    reviewed_by: str | None
    change_reason: str | None
    is_bound: bool
    as_of: str


class Side(Value):
    """One version in a comparison; ``text`` is None where its bytes are lost."""

    number: int
    record_id: str
    record_sha256: str
    text: str | None
    details: tuple[tuple[str, str], ...]


class Comparison(Value):
    """Two versions of one key."""

    key: str
    old: Side
    new: Side


class DueKey(Value):
    """One key with its dates; ``state`` is ``expired``, ``due`` or ``upcoming``."""

    key: str
    state: str
    review_on: str
    expires_on: str
    owner: str | None


class Due(Value):
    """What needs review or expires, soonest first.

    Attributes:
        keys: those that are due within the window. total: how many keys were looked at.
        unread: findings of keys whose dates cannot be trusted or read.
    """

    keys: tuple[DueKey, ...]
    total: int
    within: int
    as_of: str
    unread: tuple[Finding, ...]


class Collected(Value):
    """What ``gc`` removed, or would remove (``is_dry``), and which orphans are too young to judge."""

    removed: tuple[str, ...]
    young: tuple[str, ...]
    is_dry: bool
    grace: int


class Mend(Value):
    """One thing that doctor can do: what, why it is safe, and whether it was done."""

    what: str
    place: str
    done: bool


class Diagnosis(Value):
    """Everything that is wrong with a store, and what mends it.

    Attributes:
        findings: every fault, worst first.
        mends: what ``--fix`` does, or did.
        not_checked: what could not be looked at, and why.
    """

    findings: tuple[Finding, ...]
    mends: tuple[Mend, ...]
    not_checked: tuple[str, ...]
    is_fixed: bool
