"""The two questions that we ask an ssh-agent, and its answers (draft-ietf-sshm-ssh-agent, sections 3.5 and 3.6)."""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.wire.sshkey import ALGORITHMS, PublicKey, decode_blob
from upheld.wire.sshwire import Reader, put_string, put_uint32

MALFORMED = "SIG010"
ANSWER_LIMIT = 256 * 1024

_FAILURE = 5
_REQUEST_IDENTITIES = 11
_IDENTITIES_ANSWER = 12
_SIGN_REQUEST = 13
_SIGN_RESPONSE = 14

_KEYS_LIMIT = 2048
_BLOB_LIMIT = 64 * 1024
_COMMENT_LIMIT = 1024
_SIGNATURE_LIMIT = 1024


def identities_request() -> bytes:
    """Ask which keys there are; framed, ready to send."""
    return put_string(bytes((_REQUEST_IDENTITIES,)))


def sign_request(key: PublicKey, data: bytes) -> bytes:
    """Ask for a signature over data; framed, ready to send."""
    return put_string(bytes((_SIGN_REQUEST,)) + put_string(key.blob) + put_string(data) + put_uint32(0))


def identities_answer(body: bytes, place: str) -> tuple[PublicKey, ...]:
    """Read the keys out of an answer, leaving out those of a kind that we do not use.

    Raises:
        FaultError: SIG010, the answer is malformed or a failure.
    """
    reader = Reader(body, code=MALFORMED, place=place)
    if reader.byte() != _IDENTITIES_ANSWER:
        raise reader.fault("the agent does not list its keys")
    count = reader.uint32()
    if count > _KEYS_LIMIT:
        raise reader.fault("the agent lists too many keys")
    pairs = [(reader.string(_BLOB_LIMIT), reader.string(_COMMENT_LIMIT)) for _ in range(count)]
    reader.end()
    keys = (_key(blob, comment, place) for blob, comment in pairs)
    return tuple(key for key in keys if key is not None)


def sign_answer(body: bytes, place: str) -> bytes | None:
    """Read the signature blob out of an answer; ``None`` when the agent says no.

    Raises:
        FaultError: SIG010, the answer is malformed.
    """
    reader = Reader(body, code=MALFORMED, place=place)
    kind = reader.byte()
    if kind == _FAILURE:
        return None
    if kind != _SIGN_RESPONSE:
        raise reader.fault("the agent answers something else")
    blob = reader.string(_SIGNATURE_LIMIT)
    reader.end()
    return blob


def _key(blob: bytes, comment: bytes, place: str) -> PublicKey | None:
    if not any(blob[4:].startswith(algorithm.encode()) for algorithm in ALGORITHMS):
        return None
    try:
        key = decode_blob(blob, place)
    except FaultError:  # a certificate, or a key that nobody should use
        return None
    # A comment is free text that anybody with the agent's socket may set: one printable line, or none.
    text = comment.decode(errors="replace")
    return key.replace(comment=text if text.isprintable() else "")
