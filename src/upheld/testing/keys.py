"""Keys in memory for tests: plain ones, and authenticators in software that sign by the FIDO layout.

Nothing here asks anybody. Never seal a real store with these: their private parts follow from their names.
"""

from __future__ import annotations

from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from upheld.errors import NoKeyError
from upheld.ports.keyring import Identity, NeedsPerson
from upheld.wire.sshkey import ED25519, SK_ED25519, PublicKey
from upheld.wire.sshsig import SshSignature, encode, signed_bytes


class MemoryKey:
    """One private key.

    Args:
        name: the key follows from it, so the same name is always the same key; also its comment.
        is_hardware: stand in for a FIDO authenticator (``sk-ssh-ed25519@openssh.com``).
        application: the authenticator's relying party.
    """

    def __init__(self, name: str, *, is_hardware: bool = False, application: str = "ssh:") -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(sha256(b"upheld test key " + name.encode()).digest())
        self.public = PublicKey(
            algorithm=SK_ED25519 if is_hardware else ED25519,
            raw=self._private.public_key().public_bytes_raw(),
            application=application if is_hardware else "",
            comment=name,
        )

    def sign(
        self,
        namespace: str,
        message: bytes,
        *,
        hash_algorithm: str = "sha512",
        flags: int = 0x01,
        counter: int = 7,
    ) -> bytes:
        """Make an armored SSHSIG; ``flags`` and ``counter`` are what an authenticator would say (0x01: touched)."""
        unsigned = SshSignature(
            key=self.public,
            namespace=namespace,
            hash_algorithm=hash_algorithm,
            signature=b"",
            flags=flags if self.public.is_hardware else None,
            counter=counter if self.public.is_hardware else None,
        )
        return encode(unsigned.replace(signature=self._private.sign(signed_bytes(unsigned, message))))

    def sign_raw(self, data: bytes) -> bytes:
        """Sign bytes as they are: for tests that build an envelope by hand."""
        return self._private.sign(data)


class MemoryKeyring:
    """A keyring over keys in memory.

    Args:
        keys: what it holds.
        person_confirms: whether the person who is asked says yes.
        asks_a_person: whether anybody is asked at all; if not, it signs silently too.
    """

    def __init__(self, *keys: MemoryKey, person_confirms: bool = True, asks_a_person: bool = True) -> None:
        self._keys = keys
        self._confirms = person_confirms
        self._asks = asks_a_person

    def identities(self) -> tuple[Identity, ...]:
        """List the keys."""
        needs: NeedsPerson = "always" if self._asks else "never"
        return tuple(Identity(key=key.public, where="memory", needs_person=needs) for key in self._keys)

    def unlock(self, identity: Identity) -> MemoryKey:
        """Hand out the key, if the person who is asked says yes."""
        if self._asks and not self._confirms:
            raise NoKeyError(f"the person declined to sign with {identity.key.key_id}")
        return self._key(identity)

    def sign(self, identity: Identity, namespace: str, message: bytes) -> bytes:
        """Sign, if the person who is asked says yes."""
        return self.unlock(identity).sign(namespace, message)

    def sign_silently(self, identity: Identity, namespace: str, message: bytes) -> bytes | None:
        """Sign, if nobody is asked."""
        return None if self._asks else self._key(identity).sign(namespace, message)

    def _key(self, identity: Identity) -> MemoryKey:
        for key in self._keys:
            if key.public.blob == identity.key.blob:
                return key
        raise NoKeyError(f"there is no key {identity.key.key_id} here")
