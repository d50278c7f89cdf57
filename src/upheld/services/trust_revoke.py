"""trust revoke: a key that somebody else may hold never counts again.

It stays listed, so that a signature with it is named as revoked and not merely as unknown.
"""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.services.trust_next import Edit, find_listed
from upheld.wire.root import Root


def revoke(named: str, *, threshold: int | None = None) -> Edit:
    """Return the edit that revokes a key, by its id, its fingerprint or its holder's name.

    Args:
        named: which key.
        threshold: how many keys sign trust roots from now on; None leaves it.
    """

    def edit(root: Root, now: str) -> Root:
        key = find_listed(root, named)
        if key.public_key.key_id in root.revoked:
            raise UsageError(f"the key of {key.name} is revoked already", help="see `upheld trust show`")
        if len(root.usable_keys) == 1:
            raise UsageError(
                "this is the only key: without it nobody could seal",
                help="put another one in its place with `upheld trust rotate`, then revoke it if it comes back",
            )
        revoked = (*root.revoked, key.public_key.key_id)
        return root.replace(revoked=revoked, threshold=threshold or root.threshold)

    return edit
