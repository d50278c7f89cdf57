"""A trust root on its way: the exact bytes that are signed, and the signatures gathered so far, in one file.

Signers of a threshold above one sit at different machines. They pass this file on; nothing in it is believed before
``trust.root.advance`` has judged its bytes.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.value import Value
from upheld.wire import strictjson
from upheld.wire.root import MALFORMED, SIZE_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TYPE = "upheld-pending-root"
LIMIT = 2 * SIZE_LIMIT
_KEY_ID = frozenset("0123456789abcdef")


class PendingRoot(Value):
    """Bytes of a trust root, and armored signatures over them by key id."""

    data: bytes
    signatures: Mapping[str, bytes]

    def signed(self, key_id: str, signature: bytes) -> PendingRoot:
        """Return it with one more signature."""
        return self.replace(signatures={**self.signatures, key_id: signature})


def encode(pending: PendingRoot) -> bytes:
    """Write the file: JSON, the root as one string so that no tool re-formats it."""
    from json import dumps

    fields = {
        "type": TYPE,
        "root": pending.data.decode("utf-8"),
        "signatures": {key_id: signature.decode("ascii") for key_id, signature in sorted(pending.signatures.items())},
    }
    return (dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def decode(data: bytes, place: str) -> PendingRoot:
    """Read the file.

    Raises:
        FaultError: SIG023 or an FMT code, with the dotted path.
    """
    fields = strictjson.parse(data, place, limit=LIMIT)
    root, signatures = fields.get("root"), fields.get("signatures")
    if fields.get("type") != TYPE:
        raise FaultError(MALFORMED, place, path="type", detail=f"it is not {TYPE!r}")
    if not isinstance(root, str):
        raise FaultError(MALFORMED, place, path="root", detail="the trust root's text is wanted")
    if not isinstance(signatures, dict):
        raise FaultError(MALFORMED, place, path="signatures", detail="an object is wanted")
    gathered = {key_id: _signature(key_id, text, place) for key_id, text in signatures.items()}
    return PendingRoot(data=root.encode("utf-8"), signatures=gathered)


def _signature(key_id: str, text: object, place: str) -> bytes:
    if len(key_id) != 16 or set(key_id) - _KEY_ID:
        raise FaultError(MALFORMED, place, path="signatures", detail="a key id has 16 lower-case hex digits")
    if not isinstance(text, str) or not text.isascii():
        raise FaultError(MALFORMED, place, path=f"signatures.{key_id}", detail="an armored signature is wanted")
    return text.encode("ascii")
