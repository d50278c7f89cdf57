"""The trust root that this user has accepted at a place."""

from __future__ import annotations

from upheld.services.admission import Gate
from upheld.wire import root as wire


def accepted_root(gate: Gate) -> wire.Root:
    """Return the trust root that is accepted at this place.

    Raises:
        FaultError: there is none that can be trusted.
    """
    return wire.decode(gate.writable().accepted().root, "trust")
