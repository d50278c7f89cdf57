"""The outside of an OpenSSH private key file (OpenSSH ``PROTOCOL.key``): which key it holds, and if it is encrypted.

Both stand in the clear before the private part, so nobody is asked for a passphrase to learn them.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.value import Value
from upheld.wire.sshkey import PublicKey, decode_blob
from upheld.wire.sshwire import Reader

MALFORMED = "SIG016"
SIZE_LIMIT = 16_384

_MAGIC = b"openssh-key-v1\0"
_BEGIN = b"-----BEGIN OPENSSH PRIVATE KEY-----\n"
_END = b"-----END OPENSSH PRIVATE KEY-----"
_BLOB_LIMIT = 4096


class PrivateKeyFile(Value):
    """What a private key file says in the clear."""

    key: PublicKey
    is_encrypted: bool


def decode(data: bytes, place: str) -> PrivateKeyFile:
    """Read the clear part of a private key file.

    Raises:
        FaultError: SIG016 not an OpenSSH private key file of one key, SIG011 a key of another kind.
    """
    reader = Reader(_unarmored(data, place), code=MALFORMED, place=place)
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise reader.fault("it is not an OpenSSH private key of version 1")
    cipher = reader.string()
    reader.string()  # the name of the key derivation
    reader.string()  # its options
    if reader.uint32() != 1:
        raise reader.fault("it holds more than one key")
    key = decode_blob(reader.string(_BLOB_LIMIT), place)
    return PrivateKeyFile(key=key, is_encrypted=cipher != b"none")


def _unarmored(data: bytes, place: str) -> bytes:
    from binascii import a2b_base64

    if len(data) > SIZE_LIMIT or not data.startswith(_BEGIN) or not data.rstrip(b"\n").endswith(_END):
        raise FaultError(MALFORMED, place, detail="it is not an OpenSSH private key file")
    body = data.rstrip(b"\n")[len(_BEGIN) : -len(_END)]
    try:
        return a2b_base64(body.replace(b"\n", b""), strict_mode=True)
    except ValueError:  # binascii.Error is one
        raise FaultError(MALFORMED, place, detail="it is not base64") from None
