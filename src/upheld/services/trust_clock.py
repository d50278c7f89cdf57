"""trust clock: the latest day on which an answer was verified here, and what to do when it is wrong."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.trusted import Trusted
from upheld.services.admission import Gate
from upheld.services.trust_state import pinned_state


def reset_clock(gate: Gate) -> Trusted:
    """Set the mark to today, which a person says is right.

    Raises:
        UsageError: nothing is pinned here.
        FaultError: the trusted state cannot be used.
        StorageError: it cannot be written.
    """
    state = pinned_state(gate)
    if state.clock_mark == gate.today:
        raise UsageError("the mark is today already; nothing is to be reset")
    mark = gate.today if gate.today <= state.clock_limit else ""
    gate.writable().save(state.replace(clock_mark=mark), None)
    return state.replace(clock_mark=mark)
