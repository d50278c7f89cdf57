"""OpenSSH public keys: blob, line, fingerprint and key id.

Only ``ssh-ed25519`` (RFC 8709) and ``sk-ssh-ed25519@openssh.com`` (OpenSSH ``PROTOCOL.u2f``) exist here. Points of
small order are refused: under such a key anybody can make a signature that verifies. So are encodings that are not
canonical, because two encodings of one point would count as two signers.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.value import Value
from upheld.wire.digest import sha256, sha256_hex
from upheld.wire.sshwire import Reader, put_string

ED25519 = "ssh-ed25519"
SK_ED25519 = "sk-ssh-ed25519@openssh.com"
ALGORITHMS = (ED25519, SK_ED25519)

MALFORMED = "SIG016"
UNSUPPORTED = "SIG011"

_RAW_SIZE = 32
_NAME_LIMIT = 64
_APPLICATION_LIMIT = 256
_COMMENT_LIMIT = 256
_LINE_LIMIT = 2048

_PRIME = 2**255 - 19
# The y coordinates of the eight points whose order divides 8 (RFC 7748, section 7, on the same curve's other form).
_SMALL_ORDER_Y = frozenset(
    (
        0,
        1,
        _PRIME - 1,
        int.from_bytes(
            bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
            "little",
        ),
        int.from_bytes(
            bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
            "little",
        ),
    )
)


class PublicKey(Value):
    """One public key.

    Attributes:
        algorithm: ``ssh-ed25519`` or ``sk-ssh-ed25519@openssh.com``.
        raw: the 32 bytes of the Ed25519 point. Signers are counted by this, because one private key can stand behind
            a plain and a security-key form alike.
        application: the FIDO relying party (``ssh:`` as a rule); empty for a plain key.
        comment: free text of the line; says nothing about who holds the key.
    """

    algorithm: str
    raw: bytes
    application: str = ""
    comment: str = ""

    @property
    def blob(self) -> bytes:
        """The key as it stands on the wire."""
        blob = put_string(self.algorithm.encode()) + put_string(self.raw)
        return blob + put_string(self.application.encode()) if self.is_hardware else blob

    @property
    def is_hardware(self) -> bool:
        """Whether signatures come from a FIDO authenticator and say whether it was touched."""
        return self.algorithm == SK_ED25519

    @property
    def key_id(self) -> str:
        """Sixteen hex digits of the blob's SHA-256: stable, and safe in a file name."""
        return sha256_hex(self.blob)[:16]

    @property
    def fingerprint(self) -> str:
        """``SHA256:`` and base64 without padding, as ``ssh-keygen -l`` prints it."""
        from binascii import b2a_base64

        return "SHA256:" + b2a_base64(sha256(self.blob).digest(), newline=False).rstrip(b"=").decode()

    @property
    def line(self) -> str:
        """``ssh-ed25519 AAAA... comment``, without a line feed."""
        from binascii import b2a_base64

        shown = f"{self.algorithm} {b2a_base64(self.blob, newline=False).decode()}"
        return f"{shown} {self.comment}" if self.comment else shown


def decode_blob(blob: bytes, place: str, *, path: str = "", comment: str = "") -> PublicKey:
    """Parse a public key blob.

    Raises:
        FaultError: SIG011 for an algorithm other than the two, SIG016 for anything else that is wrong.
    """
    reader = Reader(blob, code=MALFORMED, place=place, path=path)
    algorithm = reader.string(_NAME_LIMIT)
    if algorithm not in (ED25519.encode(), SK_ED25519.encode()):
        raise FaultError(
            UNSUPPORTED,
            place,
            path=path,
            detail=f"key algorithm {ascii(algorithm)[2:-1]}",
        )
    raw = reader.string(_RAW_SIZE)
    application = _application(reader) if algorithm == SK_ED25519.encode() else ""
    reader.end()
    weakness = _weakness(raw)
    if weakness:
        raise reader.fault(weakness)
    return PublicKey(algorithm=algorithm.decode(), raw=raw, application=application, comment=comment)


def parse_line(line: str, place: str, *, path: str = "") -> PublicKey:
    """Parse ``algorithm base64 [comment]``: single spaces, canonical base64, no options, no line feed.

    Raises:
        FaultError: SIG011 for an algorithm other than the two, SIG016 for anything else that is wrong.
    """
    if len(line) > _LINE_LIMIT or not line.isprintable():
        raise FaultError(MALFORMED, place, path=path, detail="a public key is one printable line")
    algorithm, _, rest = line.partition(" ")
    if algorithm not in ALGORITHMS:
        raise FaultError(
            UNSUPPORTED,
            place,
            path=path,
            detail=f"key algorithm {ascii(algorithm[:_NAME_LIMIT])[1:-1]}",
        )
    encoded, _, comment = rest.partition(" ")
    key = decode_blob(_blob(encoded, place, path), place, path=path, comment=comment)
    # Comparing the whole line catches padding bits, a second space and an algorithm that the blob contradicts.
    if key.line != line or len(comment) > _COMMENT_LIMIT:
        raise FaultError(MALFORMED, place, path=path, detail="the line is not in its canonical form")
    return key


def _blob(encoded: str, place: str, path: str) -> bytes:
    from binascii import a2b_base64

    try:
        return a2b_base64(encoded.encode("ascii"), strict_mode=True)
    except ValueError:  # binascii.Error and UnicodeEncodeError alike
        raise FaultError(MALFORMED, place, path=path, detail="the key is not base64") from None


def _application(reader: Reader) -> str:
    try:
        application = reader.string(_APPLICATION_LIMIT).decode("ascii")
    except UnicodeDecodeError:
        raise reader.fault("the application is not ASCII") from None
    if not application.isprintable():
        raise reader.fault("the application holds control characters")
    return application


def _weakness(raw: bytes) -> str:
    """Say what is wrong with a point, or nothing."""
    if len(raw) != _RAW_SIZE:
        return f"an Ed25519 key has {_RAW_SIZE} bytes, this has {len(raw)}"
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    if y >= _PRIME:
        return "the point is not in its canonical form"
    if y in _SMALL_ORDER_Y:
        return "the point has a small order: anybody can sign for it"
    return ""
