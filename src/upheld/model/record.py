"""A record: routing and lifecycle metadata for one version of one instruction. Never its text."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Record(Value):
    """One record as it was read.

    Dates are text that has not been judged yet (``checks.dates`` does). ``raw`` is what was read and ``sha256`` its
    digest, so that writing an unchanged record back changes no byte; ``fields`` holds every field, unknown ones too.
    The article's fields keep their names and meanings; the rest are ours (DESIGN section 2).
    """

    place: str
    raw: bytes
    sha256: str
    fields: Mapping[str, object]
    id: str
    status: str
    review_on: str
    expires_on: str
    durable_source: str
    source_sha256: str
    recorded_on: str | None
    last_verified: str | None
    supersedes: str | None
    superseded_by: str | None
    change_reason: str | None
    key: str | None
    supersedes_sha256: str | None
    owner: str | None
    evidence: str | None
    reviewed_by: str | None
    bound_source: str | None

    @property
    def is_current(self) -> bool:
        """Whether the record itself says that nothing supersedes it."""
        return self.status == "current"
