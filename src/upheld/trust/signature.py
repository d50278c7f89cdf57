"""Is this signature good, for this purpose, by a key we know? And how many different keys signed?"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.wire import sshsig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.wire.sshkey import PublicKey

INDEX_NAMESPACE = "upheld-index@v1"
ROOT_NAMESPACE = "upheld-root@v1"

WRONG_NAMESPACE = "SIG012"
INVALID = "SIG013"
UNKNOWN_KEY = "SIG014"
NOT_TOUCHED = "SIG015"


class Envelope(Value):
    """One signature file: where it stands, relative to the store, and its bytes."""

    place: str
    data: bytes


class Signer(Value):
    """One good signature.

    Attributes:
        key: the known key that made it, with the comment it is known under.
        user_present: ``True`` when an authenticator was touched for it; ``None`` for a plain key, which cannot say.
        place: the signature file.
    """

    key: PublicKey
    user_present: bool | None
    place: str


class Tally(Value):
    """How many different keys signed one message.

    Attributes:
        signers: one entry a public key, in the order of the envelopes.
        rejected: why each other envelope did not count. These refuse nothing by themselves: whoever can write the
            folder can always add a bad signature, and a good one beside it is no worse for that.
        threshold: how many are needed.
    """

    signers: tuple[Signer, ...]
    rejected: tuple[Finding, ...]
    threshold: int

    @property
    def is_met(self) -> bool:
        """Whether enough different keys signed; a threshold below one is never met."""
        return 0 < self.threshold <= len(self.signers)


def verify(envelope: Envelope, message: bytes, namespace: str, keys: tuple[PublicKey, ...]) -> Signer | Finding:
    """Check one signature over exact bytes.

    Signatures of a security key count only with the user-presence flag: a key that signs untouched is one that an
    agent can use.

    Args:
        envelope: the armored signature.
        message: the bytes as stored; they are never parsed or re-serialised here.
        namespace: compared exactly, so a signature made for another purpose is not one for this.
        keys: the keys that may sign. Revocation and expiry are the caller's to judge.

    Returns:
        The signer, or the first thing that is wrong (SIG010 to SIG016).
    """
    # 1. The envelope is well formed.
    try:
        signature = sshsig.decode(envelope.data, envelope.place)
    except FaultError as fault:
        return fault_finding(fault)
    facts = (("key", signature.key.key_id),)
    # 2. It was made for this purpose.
    if signature.namespace != namespace:
        named = (
            ("namespace", ascii(signature.namespace)[1:-1]),
            ("expected", namespace),
        )
        return Finding(code=WRONG_NAMESPACE, place=envelope.place, facts=facts + named)
    # 3. We know the key.
    known = next((key for key in keys if key.blob == signature.key.blob), None)
    if known is None:
        return Finding(code=UNKNOWN_KEY, place=envelope.place, facts=facts)
    # 4. The key signed these bytes.
    if not _ed25519_verifies(known.raw, signature.signature, sshsig.signed_bytes(signature, message)):
        return Finding(code=INVALID, place=envelope.place, facts=facts)
    # 5. Where the key can say whether a person was there, one was.
    if signature.user_present is False:
        return Finding(code=NOT_TOUCHED, place=envelope.place, facts=facts)
    return Signer(key=known, user_present=signature.user_present, place=envelope.place)


def count_signers(
    envelopes: tuple[Envelope, ...],
    message: bytes,
    namespace: str,
    keys: tuple[PublicKey, ...],
    threshold: int,
) -> Tally:
    """Check every signature and count each public key once, whatever ids, comments or key types it appears under."""
    signers: dict[bytes, Signer] = {}
    rejected: list[Finding] = []
    for envelope in envelopes:
        result = verify(envelope, message, namespace, keys)
        if isinstance(result, Finding):
            rejected.append(result)
        else:
            signers.setdefault(result.key.raw, result)
    return Tally(signers=tuple(signers.values()), rejected=tuple(rejected), threshold=threshold)


def fault_finding(fault: FaultError) -> Finding:
    """Turn what a parser raised into the finding that it stands for."""
    facts = (("detail", fault.detail),) if fault.detail else ()
    return Finding(code=fault.code, place=fault.place, path=fault.path, facts=facts)


def _ed25519_verifies(raw: bytes, signature: bytes, message: bytes) -> bool:
    # Deferred: a warm recall trusts an index it has verified before and must not pay for this import.
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, message)
    except (
        InvalidSignature,
        ValueError,
    ):  # ValueError: the bytes are no point of the curve
        return False
    return True
