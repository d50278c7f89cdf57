"""Every version of one key, newest first."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding


class Version(Value):
    """One version. Fields are None where the record cannot be read or does not say.

    Attributes:
        is_served: the one that the pointer leads to.
        sha256: the digest of the record's bytes as they are now.
        findings: what is wrong with this record or its source.
    """

    place: str
    record_id: str | None
    status: str | None
    is_served: bool
    recorded_on: str | None = None
    last_verified: str | None = None
    review_on: str | None = None
    expires_on: str | None = None
    change_reason: str | None = None
    owner: str | None = None
    reviewed_by: str | None = None
    evidence: str | None = None
    source: str | None = None
    source_sha256: str | None = None
    sha256: str | None = None
    findings: tuple[Finding, ...] = ()


class History(Value):
    """The versions of one key, newest first.

    Attributes:
        outcome: ``verified``, ``unsealed``, or ``failed`` where the chain has an error (a recall is then refused).
        findings: every fault of the chain, worst first, those of single versions included.
        retired: the key no longer applies; ``renamed_to`` is the key that took over, if one did.
    """

    outcome: str
    key: str
    versions: tuple[Version, ...]
    findings: tuple[Finding, ...]
    as_of: str
    hypothetical: bool
    sealed: bool
    not_checked: tuple[str, ...]
    retired: bool = False
    renamed_to: str | None = None
