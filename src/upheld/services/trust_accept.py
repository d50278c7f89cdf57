"""trust accept: a finding that every recall mentions is accepted by name, and not mentioned any more."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.trusted import Trusted
from upheld.services.admission import Gate
from upheld.services.trust_state import pinned_state


def accept(gate: Gate, name: str) -> Trusted:
    """Accept one finding.

    Args:
        gate: the gate of the store.
        name: the code and what it is about, ``SIG030:<key id>``.

    Raises:
        UsageError: no recall here mentions it, or it is accepted already.
        FaultError: the trusted state cannot be used.
        StorageError: it cannot be written.
    """
    state = pinned_state(gate)
    demand_mentioned(state, name)
    made = state.replace(accepted=(*state.accepted, name))
    gate.writable().save(made, None)
    return made


def accept_codes(gate: Gate, codes: tuple[str, ...]) -> Trusted:
    """Accept everything of these codes that recalls mention now; raises like ``accept`` for the state."""
    state = pinned_state(gate)
    names = [name for name in state.warnings if name.partition(":")[0] in codes and name not in state.accepted]
    made = state.replace(accepted=(*state.accepted, *names))
    gate.writable().save(made, None)
    return made


def demand_mentioned(state: Trusted, name: str) -> None:
    """Refuse a name that no recall mentions.

    Raises:
        UsageError: it is accepted already, or never was mentioned.
    """
    if name in state.accepted:
        raise UsageError(f"{name} is accepted already")
    if name not in state.warnings:
        open_ones = ", ".join(other for other in state.warnings if other not in state.accepted) or "nothing"
        raise UsageError(
            f"no recall here mentions {name!r:.60}; mentioned: {open_ones}", help="see `upheld trust show`"
        )
