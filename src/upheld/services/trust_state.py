"""What the verbs that change only this machine's memory of a store begin with."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.trusted import Trusted
from upheld.services.admission import Gate


def pinned_state(gate: Gate) -> Trusted:
    """Return the trusted state of a pinned place.

    Raises:
        UsageError: nothing is pinned here.
        FaultError: RBK005, it cannot be used.
    """
    state = gate.state.load()
    if state is None or not state.is_pinned:
        raise UsageError("no store is pinned at this place", help="pin it with `upheld trust pin`")
    return state
