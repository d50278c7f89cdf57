"""Bind what decides whether an index may be used to what this call allows."""

from __future__ import annotations

from upheld.model.finding import Finding
from upheld.services.snapshot import Admission

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.index import Index

UNSEALED = "seal: the store has none, so nothing says who wrote it"


def admission(*, unsealed: bool) -> Callable[[bytes, Index], Admission]:
    """Return the rule that admits an index.

    Args:
        unsealed: the caller accepts a store that nobody vouches for.
    """

    def admit(data: bytes, index: Index) -> Admission:
        refusals = () if unsealed else (Finding(code="SIG001", place="index.json"),)
        return Admission(sealed=False, refusals=refusals, not_checked=(UNSEALED,))

    return admit
