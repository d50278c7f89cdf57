"""Drafts: what was committed here and is not published yet; and what becomes of it when others published meanwhile."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


KeyState = tuple["Mapping[str, object] | None", "Mapping[str, object] | None"]
"""What an index says of a key: its entry and its retired entry, as they stand there; None for neither."""

NO_STATE: KeyState = (None, None)


class KeyConflict(Value):
    """One key that was changed here and, otherwise, in what others published.

    ``mine`` and ``theirs`` are digests of the records that govern it on each side; empty where none does.
    """

    key: str
    mine: str
    theirs: str


class Choice(Value):
    """What a person decided about a conflict. It counts for exactly the two versions that they saw."""

    conflict: KeyConflict
    side: str
    """``mine`` or ``theirs``."""


class Merge(Value):
    """What a replay of drafts comes to, before anything is written.

    Attributes:
        taken: own keys that go on top as they are.
        already: own keys that the published version holds in just this form.
        corrected: own keys that a person chose over the others' version.
        dropped: own keys that a person gave up for the others' version.
        conflicts: keys that a person has to settle first.
        takes_root: whether an own change of the trust root goes on top.
    """

    taken: tuple[str, ...]
    already: tuple[str, ...]
    corrected: tuple[str, ...]
    dropped: tuple[str, ...]
    conflicts: tuple[KeyConflict, ...]
    takes_root: bool = False


class Synced(Value):
    """What a sync did.

    Attributes:
        outcome: ``published`` (own changes went out), ``received`` (the folder holds others' changes),
            ``up-to-date``, ``restored`` (the folder was brought back), ``waiting`` (own changes are not published; only
            a pull leaves them).
        version: the version that the folder holds now. index_sha256: the digest of its index.
        sent: keys that went out. received: keys that came in.
        waiting: how many own events are still to be published.
        attempts: how often the push was tried.
    """

    outcome: str
    version: int
    index_sha256: str
    sent: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    waiting: int = 0
    attempts: int = 0
    warning: str = ""
