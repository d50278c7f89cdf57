"""trust rotate: a new key takes the place of one that is listed.

The old key is no longer listed, so nothing it signs from now on counts. It is not revoked: revoking is for a key that
somebody else may hold, and is for good (``services.trust_revoke``).
"""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.services.trust_next import Edit, find_listed
from upheld.wire.root import Root
from upheld.wire.sshkey import PublicKey


def rotate(old: str, new: PublicKey, *, expires_on: str | None = None) -> Edit:
    """Return the edit that exchanges a key under its holder's name.

    Args:
        old: the key that goes: its id, its fingerprint or its holder's name.
        new: the public key that comes.
        expires_on: the first day on which the new key's seals no longer count; None for never.
    """

    def edit(root: Root, now: str) -> Root:
        leaving = find_listed(root, old)
        if leaving.public_key.raw == new.raw:
            raise UsageError("that is the same key", help="name another one with `--to`")
        entry = leaving.replace(public_key=new, added_on=now[:10], expires_on=expires_on)
        return root.replace(keys=tuple(entry if key == leaving else key for key in root.keys))

    return edit
