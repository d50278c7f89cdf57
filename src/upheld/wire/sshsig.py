"""SSHSIG: the armored signature that ``ssh-keygen -Y`` makes and checks (OpenSSH ``PROTOCOL.sshsig``).

One value has one spelling: the armor must be byte for byte what :func:`encode` makes, so nothing in a signature file
can be changed without changing what it says. Nothing here decides whether a signature is good; ``trust.signature``
does.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.value import Value
from upheld.wire.digest import sha256
from upheld.wire.sshkey import PublicKey, decode_blob
from upheld.wire.sshwire import Reader, put_string, put_uint32

MALFORMED = "SIG010"
UNSUPPORTED = "SIG011"

SIZE_LIMIT = 8192
HASHES = ("sha512", "sha256")

_MAGIC = b"SSHSIG"
_VERSION = 1
_BEGIN = b"-----BEGIN SSH SIGNATURE-----\n"
_END = b"-----END SSH SIGNATURE-----\n"
_COLUMNS = 70
_NAMESPACE_LIMIT = 256
_NAME_LIMIT = 64
_BLOB_LIMIT = 1024
_SIGNATURE_SIZE = 64
_USER_PRESENT = 0x01


class SshSignature(Value):
    """One signature and what it says of itself.

    Attributes:
        key: the public key that it claims.
        namespace: what it was made for.
        hash_algorithm: ``sha512`` or ``sha256``; what the message was hashed with before signing.
        signature: the 64 bytes of Ed25519.
        flags: the authenticator's flags byte; ``None`` for a plain key.
        counter: the authenticator's signature counter; ``None`` for a plain key.
    """

    key: PublicKey
    namespace: str
    hash_algorithm: str
    signature: bytes
    flags: int | None = None
    counter: int | None = None

    @property
    def user_present(self) -> bool | None:
        """Whether the authenticator says that it was touched; ``None`` where a plain key cannot say."""
        return None if self.flags is None else bool(self.flags & _USER_PRESENT)

    @property
    def blob(self) -> bytes:
        """The signature blob: what an agent answers with, and the envelope's last field."""
        blob = put_string(self.key.algorithm.encode()) + put_string(self.signature)
        if self.flags is None or self.counter is None:
            return blob
        return blob + bytes((self.flags,)) + put_uint32(self.counter)


def to_be_signed(namespace: str, message: bytes, hash_algorithm: str = "sha512") -> bytes:
    """Make the blob that an agent is asked to sign for a message under a namespace.

    Raises:
        ValueError: the hash is neither ``sha512`` nor ``sha256``, or the namespace is empty or too long.
    """
    import hashlib

    if hash_algorithm not in HASHES:
        raise ValueError(f"SSHSIG knows no hash {hash_algorithm!r}")
    if not 0 < len(namespace.encode()) <= _NAMESPACE_LIMIT:
        raise ValueError("a namespace has 1 to 256 bytes")
    digest = hashlib.new(hash_algorithm, message).digest()
    named = put_string(namespace.encode()) + put_string(b"") + put_string(hash_algorithm.encode())
    return _MAGIC + named + put_string(digest)


def signed_bytes(signature: SshSignature, message: bytes) -> bytes:
    """Make the exact bytes that the Ed25519 signature covers.

    For a plain key that is the to-be-signed blob. An authenticator signs
    ``sha256(application) || flags || counter || sha256(blob)`` (OpenSSH ``PROTOCOL.u2f``).
    """
    blob = to_be_signed(signature.namespace, message, signature.hash_algorithm)
    if signature.flags is None or signature.counter is None:
        return blob
    said = bytes((signature.flags,)) + put_uint32(signature.counter)
    return sha256(signature.key.application.encode()).digest() + said + sha256(blob).digest()


def encode(signature: SshSignature) -> bytes:
    """Armor a signature exactly as ``ssh-keygen -Y sign`` does: 70 columns, one line feed after each line."""
    from binascii import b2a_base64

    packed = (
        _MAGIC
        + put_uint32(_VERSION)
        + put_string(signature.key.blob)
        + put_string(signature.namespace.encode())
        + put_string(b"")
        + put_string(signature.hash_algorithm.encode())
        + put_string(signature.blob)
    )
    text = b2a_base64(packed, newline=False)
    lines = (text[at : at + _COLUMNS] + b"\n" for at in range(0, len(text), _COLUMNS))
    return _BEGIN + b"".join(lines) + _END


def decode(data: bytes, place: str) -> SshSignature:
    """Parse an armored signature; the key's comment is empty, since an envelope carries none.

    Args:
        data: the whole file.
        place: the file, relative to the store.

    Raises:
        FaultError: SIG010 malformed, SIG011 an algorithm or hash that is not supported, SIG016 a bad public key.
    """
    reader = Reader(_unarmored(data, place), code=MALFORMED, place=place)
    if reader.take(len(_MAGIC)) != _MAGIC or reader.uint32() != _VERSION:
        raise reader.fault("it is not an SSHSIG of version 1")
    key = decode_blob(reader.string(_BLOB_LIMIT), place)
    namespace = _namespace(reader)
    if reader.string(_NAMESPACE_LIMIT):
        raise reader.fault("its reserved field is not empty")
    hash_algorithm = reader.string(_NAME_LIMIT)
    blob = reader.string(_BLOB_LIMIT)
    reader.end()
    if hash_algorithm not in (b"sha512", b"sha256"):
        raise FaultError(UNSUPPORTED, place, detail=f"hash {ascii(hash_algorithm)[2:-1]}")
    signature = from_blob(key, namespace, blob, place, hash_algorithm=hash_algorithm.decode())
    if encode(signature) != data:
        raise reader.fault("its armor is not in the canonical form")
    return signature


def from_blob(
    key: PublicKey,
    namespace: str,
    blob: bytes,
    place: str,
    *,
    hash_algorithm: str = "sha512",
) -> SshSignature:
    """Make a signature out of a key and the signature blob that an agent or an envelope carries.

    Raises:
        FaultError: SIG010 malformed, SIG011 a signature algorithm other than the key's.
    """
    reader = Reader(blob, code=MALFORMED, place=place)
    algorithm = reader.string(_NAME_LIMIT)
    if algorithm != key.algorithm.encode():
        raise FaultError(UNSUPPORTED, place, detail=f"signature algorithm {ascii(algorithm)[2:-1]}")
    raw = reader.string(_SIGNATURE_SIZE)
    if len(raw) != _SIGNATURE_SIZE:
        raise reader.fault(f"an Ed25519 signature has {_SIGNATURE_SIZE} bytes, this has {len(raw)}")
    flags, counter = (reader.byte(), reader.uint32()) if key.is_hardware else (None, None)
    reader.end()
    return SshSignature(
        key=key,
        namespace=namespace,
        hash_algorithm=hash_algorithm,
        signature=raw,
        flags=flags,
        counter=counter,
    )


def _unarmored(data: bytes, place: str) -> bytes:
    from binascii import a2b_base64

    if len(data) > SIZE_LIMIT:
        raise FaultError(MALFORMED, place, detail=f"it is larger than {SIZE_LIMIT} bytes")
    if not (data.startswith(_BEGIN) and data.endswith(b"\n" + _END)):
        raise FaultError(MALFORMED, place, detail="it is not an armored SSH signature")
    try:
        return a2b_base64(data[len(_BEGIN) : -len(_END)].replace(b"\n", b""), strict_mode=True)
    except ValueError:  # binascii.Error is one
        raise FaultError(MALFORMED, place, detail="its armor is not base64") from None


def _namespace(reader: Reader) -> str:
    try:
        namespace = reader.string(_NAMESPACE_LIMIT).decode()
    except UnicodeDecodeError:
        raise reader.fault("its namespace is not UTF-8") from None
    if not namespace:
        raise reader.fault("its namespace is empty")
    return namespace
