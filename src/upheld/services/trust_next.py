"""The next version of a trust root: what all verbs that change one have in common.

Each verb is a function from the root that counts now to the one that is wanted. Who signs, where the signatures are
gathered and how the result is committed is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from upheld.errors import FaultError, UsageError
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.trust.root import RootStep, TrustedRoot, advance, tally_under
from upheld.trust.signature import ROOT_NAMESPACE, Envelope, Tally
from upheld.wire import root as wire
from upheld.wire.pending_root import PendingRoot
from upheld.wire.screen_policy import words_of

Edit = Callable[[wire.Root, str], wire.Root]
"""From the root that counts now, and the instant, to the fields of the next; version and instant are set for it."""


class Standing(Value):
    """Whose signatures a pending root has, by the rules of the root before it and by its own."""

    before: Tally
    own: Tally

    @property
    def is_met(self) -> bool:
        """Whether both thresholds are."""
        return self.before.is_met and self.own.is_met

    @property
    def rejected(self) -> tuple[Finding, ...]:
        """Why signatures in the file do not count by either rule."""
        return tuple(finding for finding in self.before.rejected if finding in self.own.rejected)


def propose(current: wire.Root, edit: Edit, now: str) -> PendingRoot:
    """Make the next version, unsigned.

    Raises:
        UsageError: nothing would change, or the result could never count (a threshold out of reach, a key twice).
    """
    wanted = edit(current, now)
    if wanted == current:
        raise UsageError("nothing would change", help="see `upheld trust show`")
    data = wire.encode(wanted.replace(version=current.version + 1, issued_at=now))
    try:
        made = wire.decode(data, f"trust/{current.version + 1}.json")
    except FaultError as fault:
        raise UsageError(f"no such trust root can be made: {fault.path}: {fault.detail}") from None
    if made.expires_on <= now[:10]:
        raise UsageError("the trust root has expired", help="renew it first: `upheld trust renew`")
    return PendingRoot(data=data, signatures={})


def standing(current: TrustedRoot, pending: PendingRoot) -> Standing:
    """Count the signatures under both rules.

    Raises:
        FaultError: the pending root cannot be read.
    """
    new = wire.decode(pending.data, "the pending root")
    envelopes = _envelopes(new.version, pending)
    old = current.root
    return Standing(
        before=tally_under(old, pending.data, ROOT_NAMESPACE, envelopes, old.threshold),
        own=tally_under(new, pending.data, ROOT_NAMESPACE, envelopes, new.threshold),
    )


def still_wanted(current: TrustedRoot, pending: PendingRoot) -> frozenset[str]:
    """Return the ids of the keys whose signature would bring a pending root nearer to its thresholds."""
    now = standing(current, pending)
    new = wire.decode(pending.data, "the pending root")
    wanted: set[str] = set()
    for root, tally in ((current.root, now.before), (new, now.own)):
        signed = {signer.key.raw for signer in tally.signers}
        if not tally.is_met:
            wanted |= {key.public_key.key_id for key in root.usable_keys if key.public_key.raw not in signed}
    return frozenset(wanted)


def judge(current: TrustedRoot, pending: PendingRoot) -> RootStep:
    """Judge a pending root as every reader will (TUF's rules)."""
    return advance(current, pending.data, _envelopes(current.root.version + 1, pending))


def files_of(pending: PendingRoot, version: int) -> dict[str, bytes]:
    """Return the files that publish it."""
    files = {f"trust/{version}.json": pending.data}
    return files | {f"trust/{version}.{key_id}.sig": data for key_id, data in pending.signatures.items()}


def differences(old: wire.Root, new: wire.Root) -> tuple[str, ...]:
    """Say in words what a signer would agree to."""
    before = {key.public_key.key_id: key for key in old.keys}
    after = {key.public_key.key_id: key for key in new.keys}
    lines = [f"add the key of {_named(after[key])}" for key in after if key not in before]
    lines += [f"remove the key of {_named(before[key])}" for key in before if key not in after]
    lines += [f"revoke the key {_of(key, before)} for good" for key in new.revoked if key not in old.revoked]
    for key, item in after.items():
        if key in before and item != before[key]:
            lines += _changed(
                f"key of {item.name}", before[key], item, ("name", "public_key", "added_on", "expires_on")
            )
    lines += _changed("", old, new, ("store_id", "expires_on", "threshold"))
    lines += _changed(
        "policy", old.policy, new.policy, tuple(name for name in type(old.policy)._fields if name != "unknown")
    )
    lines += _changed_screen(old.policy, new.policy)
    return tuple(lines)


def _changed_screen(old: wire.Policy, new: wire.Policy) -> list[str]:
    """Say what is changed about the screen, and by name what else is that this version does not know."""
    then, now = words_of(old.unknown), words_of(new.unknown)
    lines = [f"policy: screen: {then} -> {now}"] if then != now else []
    before, after = dict(old.unknown), dict(new.unknown)
    others = sorted(name for name in {*before, *after} - {"screen"} if before.get(name) != after.get(name))
    return [*lines, *(f"policy: {name}: changed" for name in others)]


def _changed(of: str, old: Value, new: Value, names: Iterable[str]) -> list[str]:
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in names)
    return [
        f"{of + ': ' if of else ''}{name}: {_said(then)} -> {_said(now)}" for name, then, now in pairs if then != now
    ]


def _said(value: object) -> str:
    if value is None:
        return "none"
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _named(key: wire.RootKey) -> str:
    return f"{key.name} ({key.public_key.fingerprint})"


def _of(key_id: str, keys: dict[str, wire.RootKey]) -> str:
    return f"of {_named(keys[key_id])}" if key_id in keys else key_id


def find_listed(root: wire.Root, named: str) -> wire.RootKey:
    """Return the key that a person means by its id, its fingerprint or its holder's name.

    Raises:
        UsageError: the root lists no such key.
    """
    for key in root.keys:
        if named in (key.public_key.key_id, key.public_key.fingerprint, key.name):
            return key
    known = ", ".join(f"{key.public_key.key_id} ({key.name})" for key in root.keys)
    raise UsageError(f"the trust root lists no key {named!r:.80}; it lists {known}", help="see `upheld trust show`")


def _envelopes(version: int, pending: PendingRoot) -> tuple[Envelope, ...]:
    return tuple(
        Envelope(place=f"trust/{version}.{key_id}.sig", data=data)
        for key_id, data in sorted(pending.signatures.items())
    )
