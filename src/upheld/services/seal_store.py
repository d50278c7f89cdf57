"""Give a store its first trust root: a new store by ``init``, an unsealed one by ``migrate``."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.change import Change
from upheld.ports.keyring import UnlockedKey
from upheld.trust.signature import ROOT_NAMESPACE
from upheld.wire import root as wire
from upheld.wire.day import days_after
from upheld.wire.digest import sha256_hex
from upheld.wire.sshkey import PublicKey

ROOT_DAYS = 365
"""How long a trust root lasts before a holder of its keys renews it."""
LONGEST_REVIEW_DAYS = 365
SEALING_VERBS = (
    "remember",
    "correct",
    "review",
    "retire",
    "restore",
    "rename",
    "redact",
    "triggers",
    "approve",
    "resolve",
    "sync",
    "trust",
)
"""Every verb that seals and that a trust root may let go without asking; ``init`` and ``migrate`` come before it."""


def first_root(
    key: PublicKey,
    *,
    name: str,
    store_id: str,
    now: str,
    automation: tuple[str, ...] = (),
    policy: wire.Policy | None = None,
) -> wire.Root:
    """Return version 1 of a trust root: one key, and the policy to start with.

    Args:
        key: the key that may seal.
        name: who holds it.
        store_id: the store that the root governs.
        now: the instant, UTC.
        automation: the verbs that ``--yes`` may answer for.
        policy: the whole policy, where the defaults do not do; ``automation`` is left out then.
    """
    today = now[:10]
    return wire.Root(
        version=1,
        store_id=store_id,
        issued_at=now,
        expires_on=days_after(today, ROOT_DAYS),
        keys=(wire.RootKey(public_key=key, name=name, added_on=today),),
        threshold=1,
        revoked=(),
        policy=policy or default_policy(automation),
    )


def check_automation(verbs: tuple[str, ...]) -> None:
    """Insist that every verb named is one that seals.

    Raises:
        UsageError: one is not.
    """
    unknown = [verb for verb in verbs if verb not in SEALING_VERBS]
    if unknown:
        raise UsageError(
            f"`{unknown[0][:40]}` is no verb that can be automated", help=f"one of {', '.join(SEALING_VERBS)}"
        )


def default_policy(automation: tuple[str, ...]) -> wire.Policy:
    """Return the policy of a new store: no freshness limit, a year's review window, and what may go without asking."""
    return wire.Policy(
        freshness_days=None,
        longest_review_days=LONGEST_REVIEW_DAYS,
        max_sync_age_days=None,
        automation=automation,
        branch=None,
    )


def root_change(root: wire.Root, signers: dict[str, UnlockedKey], change: Change) -> Change:
    """Add a signed trust root to a change: its files, and its name in the index. The ordinary commit does the rest.

    Args:
        root: the new version.
        signers: unlocked keys by key id; each signs the root's exact bytes.
        change: what else the commit does.

    Raises:
        NoKeyError: a signer declined or is gone.
    """
    data = wire.encode(root)
    files = {f"trust/{root.version}.json": data}
    for key_id, key in signers.items():
        files[f"trust/{root.version}.{key_id}.sig"] = key.sign(ROOT_NAMESPACE, data)
    return change.replace(files={**change.files, **files}, root=(root.version, sha256_hex(data)))
