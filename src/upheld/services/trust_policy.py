"""trust policy: what the store's owners decided, changed by those who may change its trust root."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.services.trust_next import Edit
from upheld.wire.hook_policy import with_on_fault
from upheld.wire.root import Root


def set_policy(changes: dict[str, object], *, on_hook_fault: str | None = None) -> Edit:
    """Return the edit that sets fields of the policy.

    Args:
        changes: by the names of ``wire.root.Policy``; what is not named stays as it is.
        on_hook_fault: ``say`` or ``block``: what a hook does when memory could not be checked; None leaves it.
    """

    def edit(root: Root, now: str) -> Root:
        policy = root.policy.replace(**changes)
        if on_hook_fault is not None:
            policy = policy.replace(unknown=with_on_fault(policy.unknown, on_hook_fault))
        return root.replace(policy=policy)

    return edit


def in_turn(edits: Iterable[Edit]) -> Edit:
    """Return one edit that makes several, one after the other."""
    made = tuple(edits)

    def edit(root: Root, now: str) -> Root:
        for one in made:
            root = one(root, now)
        return root

    return edit
