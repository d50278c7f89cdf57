"""What the services need of whatever holds sealing keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from upheld.model.value import Value
from upheld.wire.sshkey import PublicKey

NeedsPerson = Literal["always", "unknown", "never"]

AskPassphrase = Callable[[str], str | None]
"""Asks a person for the passphrase of the named key; ``None`` when they decline. Asked anew for each unlocking."""


class Identity(Value):
    """One key that a keyring can sign with.

    Attributes:
        key: the public key.
        where: where it is held, for people: a path, or the agent's socket.
        needs_person: what the holder knows about signing with it: a person has to act ``always``, ``never``, or the
            holder cannot tell (``unknown``: an agent does not say whether it asks first).
    """

    key: PublicKey
    where: str
    needs_person: NeedsPerson


class UnlockedKey(Protocol):
    """One key that a person has unlocked, for one command. Kept for that long and no longer."""

    def sign(self, namespace: str, message: bytes) -> bytes:
        """Make an armored SSHSIG over a message; an agent may still ask its person now.

        Raises:
            NoKeyError: the person declined or did not answer in time, or the key is gone.
        """
        ...


class Keyring(Protocol):
    """Holds sealing keys and signs with them. Private keys never leave it."""

    def identities(self) -> tuple[Identity, ...]:
        """List the Ed25519 keys, without asking anybody anything.

        Raises:
            NoKeyError: the holder cannot be reached or read.
        """
        ...

    def unlock(self, identity: Identity) -> UnlockedKey:
        """Make a key ready to sign; a passphrase is asked here, before any lock of a store is taken.

        Raises:
            NoKeyError: the key is gone, the passphrase is wrong, or the person declined.
        """
        ...

    def sign(self, identity: Identity, namespace: str, message: bytes) -> bytes:
        """Unlock a key, make one armored SSHSIG over a message, and forget the key.

        Raises:
            NoKeyError: the key is gone, the passphrase is wrong, the person declined or did not answer in time.
        """
        ...

    def sign_silently(self, identity: Identity, namespace: str, message: bytes) -> bytes | None:
        """Try to sign with nobody acting; ``None`` when that does not work.

        Raises:
            NoKeyError: it could not be tried: the holder cannot be reached or read.
        """
        ...
