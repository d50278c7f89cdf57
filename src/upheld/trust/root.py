"""Which trust root may be believed.

The rules are those of The Update Framework's root role (TUF specification 1.0, sections 5.3 and 6.1): a first root is
signed by its own threshold and pinned by digest from outside; version n+1 is signed by the thresholds of n *and* of
n+1; there are no gaps; expiry is judged on the last root only, so that an expired one can still be renewed. Beyond
TUF, a root names its store, and a revoked key stays revoked.

Bytes and values in, values and findings out. The caller brings the files, the pin and the instant.
"""

from __future__ import annotations

from upheld.errors import FaultError, RefusedError
from upheld.model.day import is_day
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.trust.signature import (
    ROOT_NAMESPACE,
    UNKNOWN_KEY,
    Envelope,
    Signer,
    Tally,
    count_signers,
    fault_finding,
)
from upheld.wire import root as wire
from upheld.wire.digest import sha256_hex
from upheld.wire.instant import is_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.wire.root import Root

THRESHOLD_NOT_MET = "SIG020"
VERSION_GAP = "SIG021"
EXPIRED = "SIG022"
REVOKED_KEY = "SIG024"
OTHER_STORE = "SIG025"
DIGEST_MISMATCH = "SIG026"
REVOCATION_WITHDRAWN = "SIG028"


class TrustedRoot(Value):
    """A root that passed the rules.

    Attributes:
        root: what it says.
        digest: SHA-256 of its bytes as stored, lower-case hex.
        signers: who signed it under its own threshold.
    """

    root: Root
    digest: str
    signers: tuple[Signer, ...]


class RootStep(Value):
    """What came of judging one root, or a chain of them: a root, or the findings that refuse it. Never both."""

    accepted: TrustedRoot | None
    findings: tuple[Finding, ...] = ()

    def require(self) -> TrustedRoot:
        """Return the root.

        Raises:
            RefusedError: it was refused; carries the findings.
        """
        if self.accepted is None:
            names = ", ".join(f"{finding.code} {finding.entry.name}" for finding in self.findings)
            raise RefusedError(f"the trust root is refused: {names}", refusal=self.findings)
        return self.accepted


def accept_first(
    root_bytes: bytes,
    sigs: tuple[Envelope, ...],
    *,
    digest: str,
    place: str = "trust/1.json",
) -> RootStep:
    """Judge the root that trust starts from, of any version.

    Args:
        root_bytes: the file as stored.
        sigs: its signature files. Read only those named for keys that the file lists: anybody can plant more.
        digest: the SHA-256 that a person pinned, lower-case hex. The signatures prove nothing without it: whoever
            writes a root can sign it by its own keys.
        place: the file, relative to the store.
    """
    if sha256_hex(root_bytes) != digest:
        facts = (("pinned", digest), ("now", sha256_hex(root_bytes)))
        return _refused(Finding(code=DIGEST_MISMATCH, place=place, facts=facts))
    root = _decoded(root_bytes, place)
    if isinstance(root, Finding):
        return _refused(root)
    return _judged(root, root_bytes, _own_tally(root, root_bytes, sigs), place)


def advance(current: TrustedRoot, next_bytes: bytes, sigs: tuple[Envelope, ...]) -> RootStep:
    """Judge the root that follows the current one.

    Expiry is not judged here: neither an expired current root nor an expired intermediate one stops a renewal.
    A key that the next root revokes still counts towards the current root's threshold, or nobody could revoke the
    only key; one that the current root revoked counts towards neither.
    """
    old = current.root
    place = f"trust/{old.version + 1}.json"
    new = _decoded(next_bytes, place)
    if isinstance(new, Finding):
        return _refused(new)
    # 1. The same store, the very next version, no revocation taken back.
    misfits = _misfits(old, new, place)
    if misfits:
        return _refused(*misfits)
    # 2. Enough keys of the current root signed it.
    before = tally_under(old, next_bytes, ROOT_NAMESPACE, sigs, old.threshold)
    if not before.is_met:
        return _refused(*_threshold_findings(before, place, old.version))
    # 3. Enough keys of its own signed it.
    return _judged(new, next_bytes, _own_tally(new, next_bytes, sigs), place)


def walk(
    pinned: TrustedRoot,
    chain: tuple[tuple[bytes, tuple[Envelope, ...]], ...],
    *,
    as_of: str | None,
) -> RootStep:
    """Judge every root after the pinned one, in order, and the expiry of the last.

    Args:
        pinned: where trust starts.
        chain: bytes and signatures of versions n+1, n+2, and so on; empty when the pinned root is the last.
        as_of: UTC day or instant on which the last root must not have expired; ``None`` only to renew an expired root.
    """
    trusted = pinned
    for root_bytes, sigs in chain:
        step = advance(trusted, root_bytes, sigs)
        if step.accepted is None:
            return step
        trusted = step.accepted
    expired = () if as_of is None else expiry(trusted, as_of)
    return RootStep(accepted=None if expired else trusted, findings=expired)


def expiry(trusted: TrustedRoot, as_of: str) -> tuple[Finding, ...]:
    """Say whether a root has expired: it has from the first second (UTC) of ``expires_on``.

    Raises:
        ValueError: ``as_of`` is neither ``YYYY-MM-DD`` nor ``YYYY-MM-DDThh:mm:ssZ``.
    """
    today = day_of(as_of)
    root = trusted.root
    if today < root.expires_on:
        return ()
    facts = (("expired", root.expires_on), ("today", today))
    return (
        Finding(
            code=EXPIRED,
            place=f"trust/{root.version}.json",
            path="expires_on",
            facts=facts,
        ),
    )


def _decoded(data: bytes, place: str) -> Root | Finding:
    try:
        return wire.decode(data, place)
    except FaultError as fault:
        return fault_finding(fault)


def _misfits(old: Root, new: Root, place: str) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if new.store_id != old.store_id:
        facts = (("expected", old.store_id), ("now", new.store_id))
        found.append(Finding(code=OTHER_STORE, place=place, path="store_id", facts=facts))
    if new.version != old.version + 1:
        facts = (("expected", str(old.version + 1)), ("now", str(new.version)))
        found.append(Finding(code=VERSION_GAP, place=place, path="version", facts=facts))
    dropped = tuple(key_id for key_id in old.revoked if key_id not in new.revoked)
    found.extend(
        Finding(
            code=REVOCATION_WITHDRAWN,
            place=place,
            path="revoked",
            facts=(("key", key_id),),
        )
        for key_id in dropped
    )
    return tuple(found)


def _own_tally(root: Root, data: bytes, sigs: tuple[Envelope, ...]) -> Tally:
    return tally_under(root, data, ROOT_NAMESPACE, sigs, root.threshold)


def tally_under(root: Root, data: bytes, namespace: str, sigs: tuple[Envelope, ...], threshold: int) -> Tally:
    """Count the signers among a root's usable keys; name a revoked key as revoked, not merely as unknown."""
    keys = tuple(key.public_key for key in root.usable_keys)
    tally = count_signers(sigs, data, namespace, keys, threshold)
    rejected = tuple(
        finding.replace(code=REVOKED_KEY)
        if finding.code == UNKNOWN_KEY and dict(finding.facts).get("key") in root.revoked
        else finding
        for finding in tally.rejected
    )
    return tally.replace(rejected=rejected)


def _judged(root: Root, data: bytes, tally: Tally, place: str) -> RootStep:
    if not tally.is_met:
        return _refused(*_threshold_findings(tally, place, root.version))
    return RootStep(accepted=TrustedRoot(root=root, digest=sha256_hex(data), signers=tally.signers))


def _threshold_findings(tally: Tally, place: str, version: int) -> tuple[Finding, ...]:
    counted = (("needed", str(tally.threshold)), ("signed", str(len(tally.signers))))
    facts = (("by the rules of version", str(version)), *counted)
    return (Finding(code=THRESHOLD_NOT_MET, place=place, facts=facts), *tally.rejected)


def day_of(as_of: str) -> str:
    """Take the UTC day out of a day or an instant.

    Raises:
        ValueError: it is neither.
    """
    if not (is_day(as_of) or is_instant(as_of)):
        raise ValueError(f"not a UTC day or instant: {as_of!r}")
    return as_of[:10]


def _refused(*findings: Finding) -> RootStep:
    return RootStep(accepted=None, findings=findings)
