"""What puts a seal on an index. Unlocked before any lock is taken: a person may have to act (DESIGN section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class Sealer(Protocol):
    """One unlocked signer, for one commit or a few."""

    def seal(self, index: bytes, index_sha256: str) -> Mapping[str, bytes]:
        """Return the seal files for exactly these bytes, by name (``seals/<index digest>.<key id>.sig``).

        Raises:
            NoKeyError: the signer declined or is gone.
        """
