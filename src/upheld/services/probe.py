"""Try whether the sealing keys sign while nobody is there, and let every recall mention those that do.

``init`` and ``doctor`` call this. What comes of it stands in the trusted state as ``SIG030:<key id>`` until the key is
mended (a later probe takes it out) or accepted by name.
"""

from __future__ import annotations

from upheld.model.trusted import Trusted
from upheld.ports.keyring import Identity, Keyring
from upheld.services.admission import Gate
from upheld.services.silent_signing import USABLE_WITHOUT_A_PERSON, SilentAttempt, silent_signing


def probe(gate: Gate, keyring: Keyring, identities: tuple[Identity, ...] | None = None) -> tuple[SilentAttempt, ...]:
    """Try the keys and remember what came of it. Tell the person first to do nothing for some seconds.

    Args:
        gate: the gate of the store; where nothing is pinned, nothing is remembered.
        keyring: what holds the keys.
        identities: which of them to try; all of them when left out.

    Raises:
        NoKeyError: the keys cannot be listed.
        FaultError: the trusted state cannot be used.
        StorageError: it cannot be written.
    """
    attempts = silent_signing(keyring, identities)
    state = gate.state.load()
    if state is not None and state.is_pinned:
        made = remembered(state, attempts)
        if made != state:
            gate.writable().save(made, None)
    return attempts


def remembered(state: Trusted, attempts: tuple[SilentAttempt, ...]) -> Trusted:
    """Return the state with what was found: a key that could not be tried keeps what was said of it before.

    A key that is mended loses its acceptance too, so that it is mentioned again if it goes back.
    """
    found = {name_of(attempt): _signs(attempt) for attempt in attempts if attempt.outcome != "unchecked"}
    kept = tuple(name for name in state.warnings if found.get(name, True))
    new = tuple(name for name, signs in found.items() if signs and name not in state.warnings)
    accepted = tuple(name for name in state.accepted if found.get(name, True))
    return state.replace(warnings=kept + new, accepted=accepted)


def name_of(attempt: SilentAttempt) -> str:
    """Return the name under which a finding about this key is mentioned and accepted."""
    return f"{USABLE_WITHOUT_A_PERSON}:{attempt.identity.key.key_id}"


def _signs(attempt: SilentAttempt) -> bool:
    return any(finding.code == USABLE_WITHOUT_A_PERSON for finding in attempt.findings)
