"""Who sealed an index, under a trust root that is believed already."""

from __future__ import annotations

from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.trust.root import TrustedRoot, day_of, expiry, tally_under
from upheld.trust.signature import INDEX_NAMESPACE, Envelope, Signer, Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.wire.root import Root

UNSEALED = "SIG001"
KEY_EXPIRED = "SIG027"


class SealCheck(Value):
    """What came of checking the seals of one index.

    Attributes:
        signers: the keys whose seals count, one entry a key; empty when the index is refused.
        findings: why it is refused; empty when it is not.
        valid_until: the first day (UTC) on which the root or the last of the signing keys has expired; empty when the
            index is refused. The freshness limit is the caller's to add: it depends on the index.
    """

    signers: tuple[Signer, ...]
    findings: tuple[Finding, ...] = ()
    valid_until: str = ""


def check_seal(trusted: TrustedRoot, index_bytes: bytes, sigs: tuple[Envelope, ...], as_of: str) -> SealCheck:
    """Check that a key of the trust root sealed exactly these index bytes.

    One good seal is enough. Left to others: that the index names this root and this store, and that it is the newest.

    Args:
        trusted: the last root that :func:`upheld.trust.root.walk` accepted.
        index_bytes: the index as stored.
        sigs: the seal files for these bytes. Read only those named for keys of the root: anybody can plant more.
        as_of: the UTC day or instant of this call.

    Raises:
        ValueError: ``as_of`` is neither a day nor an instant.
    """
    # 1. The root still counts.
    expired = expiry(trusted, as_of)
    if expired:
        return SealCheck(signers=(), findings=expired)
    # 2. There is a seal at all.
    if not sigs:
        return SealCheck(signers=(), findings=(Finding(code=UNSEALED, place="index.json"),))
    # 3. A listed key that is neither revoked nor expired made it.
    root = trusted.root
    tally = _without_expired(tally_under(root, index_bytes, INDEX_NAMESPACE, sigs, 1), root, day_of(as_of))
    if not tally.is_met:
        return SealCheck(signers=(), findings=tally.rejected)
    return SealCheck(signers=tally.signers, valid_until=_valid_until(root, tally.signers))


def _without_expired(tally: Tally, root: Root, today: str) -> Tally:
    """Drop the signers whose key has expired.

    A key's expiry ends its seals, not its say over the next root: else an expired only key could never be renewed.
    """
    ends = _ends(root)
    kept: list[Signer] = []
    rejected: list[Finding] = []
    for signer in tally.signers:
        end = ends[signer.key.key_id]
        if end is None or today < end:
            kept.append(signer)
        else:
            facts = (("key", signer.key.key_id), ("expired", end), ("today", today))
            rejected.append(Finding(code=KEY_EXPIRED, place=signer.place, facts=facts))
    return tally.replace(signers=tuple(kept), rejected=tally.rejected + tuple(rejected))


def _valid_until(root: Root, signers: tuple[Signer, ...]) -> str:
    """The day on which the check would first come out otherwise: the root, or the last of the signing keys, ends."""
    ends = _ends(root)
    last = max(ends[signer.key.key_id] or root.expires_on for signer in signers)
    return min(root.expires_on, last)


def _ends(root: Root) -> dict[str, str | None]:
    return {key.public_key.key_id: key.expires_on for key in root.keys}
