"""Read the signature files of trust roots and of an index. Only those named for keys that could count are opened."""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.trust.signature import Envelope
from upheld.wire import root as wire_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from upheld.ports.store import ReadableStore

LIMIT = 16 * 1024


def root_signatures(store: ReadableStore, data: bytes, version: int, also: Iterable[str]) -> tuple[Envelope, ...]:
    """Read the signatures of a root by the keys that could count: its own, and ``also``, those of the root before."""
    return envelopes(store, [root_signature_name(version, key_id) for key_id in dict.fromkeys((*key_ids(data), *also))])


def seals(store: ReadableStore, root: wire_root.Root, index_sha256: str) -> tuple[Envelope, ...]:
    """Read the seals of one index by the keys that a root lists, revoked ones too: the check names them."""
    return envelopes(store, [seal_name(index_sha256, key.public_key.key_id) for key in root.keys])


def root_signature_name(version: int, key_id: str) -> str:
    """Return the file of one signature of a trust root."""
    return f"trust/{version}.{key_id}.sig"


def seal_name(index_sha256: str, key_id: str) -> str:
    """Return the file of one seal."""
    return f"seals/{index_sha256}.{key_id}.sig"


def key_ids(data: bytes) -> tuple[str, ...]:
    """Return the ids of the keys that a root lists; none where it cannot be read, which whoever judges it reports."""
    try:
        return tuple(key.public_key.key_id for key in wire_root.decode(data, "trust").keys)
    except FaultError:
        return ()


def envelopes(store: ReadableStore, names: Iterable[str]) -> tuple[Envelope, ...]:
    """Read signature files; one that is missing or unreadable does not count, and the threshold says so."""
    found = []
    for name in names:
        try:
            found.append(Envelope(place=name, data=store.read(name, LIMIT)))
        except FaultError:
            continue
    return tuple(found)
