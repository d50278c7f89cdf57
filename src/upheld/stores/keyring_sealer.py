"""An unlocked key as the sealer of a commit."""

from __future__ import annotations

from upheld.trust.signature import INDEX_NAMESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.keyring import Identity, Keyring


class KeyringSealer:
    """Seals indexes with one key, for one command.

    The key is unlocked here, so that a passphrase is asked before the commit takes any lock.

    Args:
        keyring: what holds the key.
        identity: which of its keys.

    Raises:
        NoKeyError: the key cannot be unlocked.
    """

    def __init__(self, keyring: Keyring, identity: Identity) -> None:
        self._key = keyring.unlock(identity)
        self._key_id = identity.key.key_id

    def sign(self, namespace: str, message: bytes) -> bytes:
        """Sign for another purpose than an index: a trust root.

        Raises:
            NoKeyError: the signer declined or is gone.
        """
        return self._key.sign(namespace, message)

    def seal(self, index: bytes, index_sha256: str) -> dict[str, bytes]:
        """Sign exactly these bytes.

        Raises:
            NoKeyError: the signer declined or is gone.
        """
        return {f"seals/{index_sha256}.{self._key_id}.sig": self._key.sign(INDEX_NAMESPACE, index)}
