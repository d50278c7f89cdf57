"""trust renew: a later end for the trust root, or for one of its keys. An expired root can still be renewed."""

from __future__ import annotations

from upheld.services.seal_store import ROOT_DAYS
from upheld.services.trust_next import Edit, find_listed
from upheld.wire.day import days_after
from upheld.wire.root import Root


def renew(*, days: int = ROOT_DAYS, key_ends: tuple[tuple[str, str | None], ...] = ()) -> Edit:
    """Return the edit that moves ends.

    Args:
        days: how long the root lasts from today.
        key_ends: pairs of a key (id, fingerprint or holder) and its new last day; None for no end.
    """

    def edit(root: Root, now: str) -> Root:
        ends = {find_listed(root, named).public_key.key_id: end for named, end in key_ends}
        keys = tuple(
            key.replace(expires_on=ends[key.public_key.key_id]) if key.public_key.key_id in ends else key
            for key in root.keys
        )
        return root.replace(expires_on=days_after(now[:10], days), keys=keys)

    return edit
