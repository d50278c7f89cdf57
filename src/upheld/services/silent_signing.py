"""Can whatever runs as this user sign with these keys while nobody is there? The only sure answer is to try."""

from __future__ import annotations

from typing import Literal

from upheld.errors import NoKeyError
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.ports.keyring import Identity, Keyring
from upheld.trust.signature import NOT_TOUCHED, Envelope, Signer, verify

PROBE_NAMESPACE = "upheld-probe@v1"
USABLE_WITHOUT_A_PERSON = "SIG030"

_MESSAGE = b"This signature seals nothing. It shows whether a key signs while nobody is there.\n"


class SilentAttempt(Value):
    """What came of trying to sign with one key while nobody acts.

    Attributes:
        identity: the key.
        outcome: ``signed``, ``not-signed``, or ``unchecked`` where it could not be tried.
        findings: SIG030 where the signature would count; SIG015 where a security key signed untouched, which never
            counts; empty otherwise.
        detail: why it could not be tried; empty otherwise.
    """

    identity: Identity
    outcome: Literal["signed", "not-signed", "unchecked"]
    findings: tuple[Finding, ...] = ()
    detail: str = ""


def silent_signing(keyring: Keyring, identities: tuple[Identity, ...] | None = None) -> tuple[SilentAttempt, ...]:
    """Try every key once, under a namespace of its own, so that the signatures are good for nothing else.

    Tell the person first to do nothing for some seconds: an agent that asks puts up its question, and a quick yes
    would look like a key that needs nobody.

    Args:
        keyring: what holds the keys.
        identities: which of them to try; all of them when left out.

    Raises:
        NoKeyError: the keys cannot even be listed.
    """
    chosen = keyring.identities() if identities is None else identities
    return tuple(_attempt(keyring, identity) for identity in chosen)


def _attempt(keyring: Keyring, identity: Identity) -> SilentAttempt:
    try:
        signature = keyring.sign_silently(identity, PROBE_NAMESPACE, _MESSAGE)
    except NoKeyError as error:
        return SilentAttempt(identity=identity, outcome="unchecked", detail=error.message)
    if signature is None:
        return SilentAttempt(identity=identity, outcome="not-signed")
    result = verify(Envelope(place="", data=signature), _MESSAGE, PROBE_NAMESPACE, (identity.key,))
    if isinstance(result, Signer):
        return _signed(identity, touched=result.user_present is True)
    if result.code == NOT_TOUCHED:
        return SilentAttempt(identity=identity, outcome="signed", findings=(_finding(NOT_TOUCHED, identity),))
    return SilentAttempt(identity=identity, outcome="unchecked", detail=result.entry.what)


def _signed(identity: Identity, *, touched: bool) -> SilentAttempt:
    if touched:  # somebody was there after all: the authenticator says so
        return SilentAttempt(identity=identity, outcome="not-signed")
    return SilentAttempt(identity=identity, outcome="signed", findings=(_finding(USABLE_WITHOUT_A_PERSON, identity),))


def _finding(code: str, identity: Identity) -> Finding:
    return Finding(code=code, facts=(("key", identity.key.key_id), ("held by", identity.where)))
