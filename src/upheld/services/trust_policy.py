"""trust policy: what the store's owners decided, changed by those who may change its trust root."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.services.trust_next import Edit
from upheld.wire.root import Root


def set_policy(changes: dict[str, object]) -> Edit:
    """Return the edit that sets fields of the policy.

    Args:
        changes: by the names of ``wire.root.Policy``; what is not named stays as it is.
    """

    def edit(root: Root, now: str) -> Root:
        return root.replace(policy=root.policy.replace(**changes))

    return edit


def in_turn(edits: Iterable[Edit]) -> Edit:
    """Return one edit that makes several, one after the other."""
    made = tuple(edits)

    def edit(root: Root, now: str) -> Root:
        for one in made:
            root = one(root, now)
        return root

    return edit
