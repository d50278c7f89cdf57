"""What this client remembers of a store, outside the store (DESIGN section 3, "Trusted state")."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Head(Value):
    """One version of the index that was accepted. Versions are ordered by (root version, version)."""

    root_version: int
    version: int
    sha256: str


class Trusted(Value):
    """The trusted state of one place.

    Attributes:
        place: what is pinned: a git common directory and the store's path in the work tree, or a real path.
        store_id: the store that is bound to the place; empty where only ``unsealed`` is set.
        root_version, root_sha256: the trust root that was accepted last.
        head: the newest index accepted here; ``published`` the newest that is known to be everybody's. They differ
            while there is a draft.
        log_head: digest of the log's last event at ``head``; pointers, retired: the counts there.
        valid_until: the day from which the seal must be checked again.
        clock_mark: the latest day on which an answer was verified here; never later than ``clock_limit``, the day of
            the head's issue plus the longest review window, so that a clock far ahead cannot poison it.
        warnings: findings that `init` or `doctor` left for every recall to mention (``SIG030:<key id>``).
        accepted: findings that a person accepted by name (``SIG030:<key id>``).
        remote: where the store is shared; None for a store that publishes on commit.
        synced_on: the day of the last sync; None where there was none.
        dropped: the first event of each draft that a person gave up here, as its number, a colon and its digest:
            another work tree may still hold what was built on it.
        unsealed: the person reads this place without a seal, said by name in user scope.
        revision: counts writes of this state, so that two processes do not undo each other's.
    """

    place: str
    store_id: str = ""
    root_version: int = 0
    root_sha256: str = ""
    head: Head | None = None
    published: Head | None = None
    log_head: str = ""
    pointers: int = 0
    retired: int = 0
    valid_until: str = ""
    clock_mark: str = ""
    clock_limit: str = ""
    warnings: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    remote: str | None = None
    synced_on: str | None = None
    dropped: tuple[str, ...] = ()
    unsealed: bool = False
    revision: int = 0

    @property
    def is_pinned(self) -> bool:
        """Whether a sealed store is bound to the place."""
        return self.head is not None

    @property
    def has_draft(self) -> bool:
        """Whether something was committed here that is not published yet."""
        return self.head is not None and self.head != self.published


class Accepted(Value):
    """The bytes behind a head, kept so that a fork can be shown to somebody and the next root judged offline."""

    index: bytes
    seals: Mapping[str, bytes]
    root: bytes
