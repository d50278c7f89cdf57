"""From a fault of one file to a finding that names the keys it refuses."""

from __future__ import annotations

from upheld.model.finding import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.errors import FaultError


def finding_of(fault: FaultError, *keys: str) -> Finding:
    """Turn a fault from ``wire`` or a store into a finding."""
    facts = (("detail", fault.detail),) if fault.detail else ()
    return Finding(code=fault.code, place=fault.place, path=fault.path, keys=keys, facts=facts)
