"""What there is to know of the trust in one place, for showing it."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding
    from upheld.model.trusted import Head


class KeyView(Value):
    """One key of a trust root: ``standing`` is ``usable``, ``revoked`` or ``expired``."""

    key_id: str
    name: str
    fingerprint: str
    public_key: str
    added_on: str
    expires_on: str | None
    standing: str


class TrustView(Value):
    """The trust root of a store, and what this machine remembers of the store's place.

    Attributes:
        path: the store's folder; place: what is pinned, or would be.
        pinned: whether a store is bound to the place. The root is then the accepted one; else it is only what the
            store's own files say, and nobody vouches for it.
        findings: why what is remembered, or the root, cannot be used; empty otherwise.
        policy: the policy as label and text.
        head, published: the versions accepted here, and known to be everybody's.
    """

    path: str
    place: str
    pinned: bool
    store_id: str
    root_version: int
    root_sha256: str
    root_expires_on: str
    threshold: int
    keys: tuple[KeyView, ...]
    policy: tuple[tuple[str, str], ...]
    version: int | None
    head: Head | None = None
    published: Head | None = None
    valid_until: str = ""
    clock_mark: str = ""
    clock_limit: str = ""
    warnings: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    remote: str | None = None
    synced_on: str | None = None
    unsealed: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def pin(self) -> str:
        """``DIGEST@VERSION``, as ``--pin`` takes it; empty where nothing is pinned: a store cannot vouch for itself."""
        return f"{self.root_sha256}@{self.version}" if self.pinned and self.root_sha256 else ""

    @property
    def command(self) -> str:
        """The command with which a colleague pins this root; empty where nothing is pinned."""
        return f"upheld trust pin {self.root_sha256}" if self.pinned and self.root_sha256 else ""
