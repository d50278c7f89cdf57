"""What one commit is going to do, worked out in full before anything is written."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Event(Value):
    """What the log keeps of a change: the verb, the key and the digests of the record before and after.

    ``at`` and ``by`` are empty for something that happens now and here; an event that ``sync`` moves on top of other
    people's events keeps when it happened and who did it.
    """

    verb: str
    key: str = ""
    before: str | None = None
    after: str | None = None
    at: str = ""
    by: str = ""


class Change(Value):
    """One commit.

    Attributes:
        events: what happened, one log event each, in order; at least one.
        files: new files by name (records, sources, trigger examples, trust roots).
        entries: for each touched key its new entry of the index; None takes it out.
        retired: for each touched key its new retired entry; None takes it out.
        replaces: names that nothing will name any more once this is committed.
        bases: for each touched key the digest of the record that this change was made from; None where the key must
            not exist yet. A key that has moved meanwhile is a conflict.
        root: the trust root that the index is to name from now on, as ``(version, digest)``; None leaves it.
    """

    events: tuple[Event, ...]
    files: Mapping[str, bytes]
    entries: Mapping[str, Mapping[str, object] | None]
    retired: Mapping[str, Mapping[str, object] | None]
    replaces: tuple[str, ...] = ()
    bases: Mapping[str, str | None]
    root: tuple[int, str] | None = None


class Committed(Value):
    """What a commit came to.

    Attributes:
        version, index_sha256, index: the new version, and its index.
        base_sha256: digest of the index that it replaced; None for the first version of a store.
        files: every file that it made, by name, the seal included and the index not.
        replaces: names that nothing names any more.
        keys: the keys whose entries changed, sorted.
        warning: what could not be done although the change is committed; empty where all is well.
    """

    version: int
    index_sha256: str
    index: bytes
    base_sha256: str | None = None
    files: Mapping[str, bytes] = {}
    replaces: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    warning: str = ""
