"""The log of a store: who did what and when, newest first, and whether it hangs together."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding


class LogLine(Value):
    """One event: ``before`` and ``after`` are digests of the key's record, or of the trust root."""

    number: int
    at: str
    by: str
    verb: str
    key: str
    before: str | None
    after: str | None
    sha256: str


class LogView(Value):
    """The events of a store, newest first.

    Attributes:
        outcome: ``verified`` (an unbroken chain from the first event to the sealed head), ``failed`` (an error), or
            ``unverified`` (nothing wrong in what is there, but events are missing or nobody sealed the head).
        lines: what is to be shown; total: how many events are there.
        version: how many events the index counts.
    """

    outcome: str
    lines: tuple[LogLine, ...]
    total: int
    version: int | None
    sealed: bool
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
