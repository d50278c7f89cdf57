"""What was read for one key: its pointer, and every record that belongs to its chain."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.errors import FaultError
    from upheld.model.index import Pointer, Retired
    from upheld.model.record import Record


class Source(Value):
    """A source as it was read. ``data`` may be None once its digest is known to be right and nobody serves it."""

    place: str
    data: bytes | None
    sha256: str
    fault: FaultError | None = None


class Member(Value):
    """One record file of a chain.

    Attributes:
        place: the record's file.
        record: its value; None where the bytes could not be read as one.
        faults: what is wrong with the file or with its fields.
        expected_sha256: the digest that the pointer or the successor recorded; None where nothing records one
            (superseded records of an article store).
        source: the durable source; None where the record is too broken to name one.
        claims: ids that a broken record's bytes or file name mention; empty for a sound one.
    """

    place: str
    record: Record | None
    faults: tuple[FaultError, ...] = ()
    expected_sha256: str | None = None
    source: Source | None = None
    claims: frozenset[str] = frozenset()


class Chain(Value):
    """One key with all that governs it. ``current`` is the member that the pointer leads to.

    ``bound`` is the live file of a bound source, None where the record binds none. ``is_retired`` says that the key
    no longer applies: its chain must still hold together, but it no longer falls due.
    """

    pointer: Pointer | Retired
    current: Member
    members: tuple[Member, ...]
    is_retired: bool = False
    bound: Source | None = None

    @property
    def is_renamed(self) -> bool:
        """Whether this is what is left under an old name: its newest record is superseded by one of the new key."""
        return self.is_retired and getattr(self.pointer, "renamed_to", None) is not None

    @property
    def key(self) -> str:
        """The key that the pointer names."""
        return self.pointer.key
