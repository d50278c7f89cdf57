"""trust allow-unsealed: this place is read without a seal from now on, said by name and in user scope."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.trusted import Trusted
from upheld.services.admission import Gate


def allow_unsealed(gate: Gate, *, allowed: bool) -> Trusted:
    """Set or clear the setting.

    Raises:
        UsageError: a store is pinned here, which is never read unsealed; or nothing would change.
        FaultError: the trusted state cannot be used.
        StorageError: it cannot be written.
    """
    state = demand_unpinned(gate, allowed=allowed)
    made = (state or Trusted(place=gate.state.place)).replace(unsealed=allowed)
    gate.writable().save(made, None)
    return made


def demand_unpinned(gate: Gate, *, allowed: bool) -> Trusted | None:
    """Refuse where a store is pinned, or the setting says so already.

    Raises:
        UsageError: either is the case.
    """
    state = gate.state.load()
    if state is not None and state.is_pinned:
        raise UsageError("a store is pinned at this place, and a pinned place is never read unsealed")
    if allowed == (state is not None and state.unsealed):
        raise UsageError(f"this place is {'' if allowed else 'not '}read unsealed already")
    return state
