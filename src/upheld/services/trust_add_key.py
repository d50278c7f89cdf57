"""trust add-key: one more key may seal."""

from __future__ import annotations

from upheld.services.trust_next import Edit
from upheld.wire.root import Root, RootKey
from upheld.wire.sshkey import PublicKey


def add_key(key: PublicKey, name: str, *, expires_on: str | None = None, threshold: int | None = None) -> Edit:
    """Return the edit that lists a key.

    Args:
        key: the public key.
        name: who holds it; unique in the root.
        expires_on: the first day on which its seals no longer count; None for never.
        threshold: how many keys sign trust roots from now on; None leaves it.
    """

    def edit(root: Root, now: str) -> Root:
        entry = RootKey(public_key=key, name=name, added_on=now[:10], expires_on=expires_on)
        return root.replace(keys=(*root.keys, entry), threshold=threshold or root.threshold)

    return edit
