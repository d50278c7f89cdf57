"""Read a route index in place: a header, memoryviews over the sections, nothing parsed.

Whatever bytes come, reading raises nothing but ``IndexUnreadableError``: every section is checked against the file and
every number that leads somewhere is checked where it is followed. The names of keys that come out are claims, to be
looked up in the verified index.
"""

from __future__ import annotations

from binascii import crc32
from bisect import bisect_left
from struct import unpack_from

from upheld.routing.form import HEADER, HEADER_SIZE, MAGIC, MATCHER, ORDER_MARK, ROW, SAID, SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = 1 << 31
_WIDTH = 4


class IndexUnreadableError(Exception):
    """The bytes are no route index of this form, or not the one that is wanted; caught inside ``routing``."""


class Index:
    """A route index over a buffer.

    Args:
        buffer: the file as bytes or a memory map; kept as long as the index is used.
        digest: the 32-byte digest of the sealed index that the file must have been built for; ``None`` to skip.
        whole: check the sum over the whole file. Without it a flipped bit may change a score, never break a bound.

    Raises:
        IndexUnreadableError: with the reason.
    """

    def __init__(self, buffer: bytes | memoryview, *, digest: bytes | None = None, whole: bool = True) -> None:
        view = memoryview(buffer).cast("B")
        if not HEADER_SIZE + 8 * len(SECTIONS) <= len(view) < LARGEST:
            raise IndexUnreadableError("it is too short or too long")
        magic, order, checksum, built_for, pointers, entries, statements, limit, tuned = unpack_from(HEADER, view)
        if magic != MAGIC:
            raise IndexUnreadableError("it is of another form")
        if order != ORDER_MARK:
            raise IndexUnreadableError("it was written on a machine with another byte order")
        if digest is not None and built_for != digest:
            raise IndexUnreadableError("it was built for another version of the store")
        if whole and crc32(view[16:]) != checksum:
            raise IndexUnreadableError("its sum does not agree with its bytes")
        self.digest: bytes = built_for
        self.pointers: int = pointers
        self.entries: int = entries
        self.statements: int = statements
        self.limit: float = limit
        self.tuned: int = tuned
        self._open_sections(view)
        self._check_counts()

    def _open_sections(self, view: memoryview) -> None:
        parts: dict[str, memoryview] = {}
        for number, (name, code) in enumerate(SECTIONS):
            at, length = unpack_from("=II", view, HEADER_SIZE + 8 * number)
            if at % _WIDTH or at + length > len(view) or (code != "B" and length % _WIDTH):
                raise IndexUnreadableError(f"its section `{name}` lies outside the file")
            parts[name] = view[at : at + length]
        self._names = parts["names"]
        self.rows = parts["rows"].cast("I")
        self.terms = parts["terms"].cast("I")
        self.starts = parts["starts"].cast("I")
        self.rarity = parts["rarity"].cast("f")
        self.ids: memoryview[int] = parts["ids"].cast("I")
        self.weights: memoryview[float] = parts["weights"].cast("f")
        self.owners = parts["owners"].cast("I")
        self.said = parts["said"].cast("I")
        self.said_rows = parts["said_rows"].cast("I")
        self.gates = parts["gates"].cast("I")
        self.gate_rows = parts["gate_rows"].cast("I")
        self.matchers = parts["matchers"].cast("I")
        self.relations = parts["relations"].cast("I")

    def _check_counts(self) -> None:
        sound = (
            len(self.rows) == self.pointers * ROW
            and len(self.owners) == self.entries >= self.pointers
            and len(self.starts) == len(self.terms) + 1
            and len(self.rarity) == len(self.terms)
            and len(self.ids) == len(self.weights)
            and len(self.said_rows) == len(self.said) * SAID
            and len(self.gate_rows) == len(self.gates)
            and len(self.matchers) % MATCHER == 0
        )
        if not sound:
            raise IndexUnreadableError("its sections do not fit together")

    def _text(self, at: int, length: int) -> str:
        if at + length > len(self._names):
            raise IndexUnreadableError("a name lies outside the file")
        return str(self._names[at : at + length], "utf-8")

    def _row(self, pointer: int, column: int) -> tuple[int, int]:
        if not 0 <= pointer < self.pointers:
            raise IndexUnreadableError("it names a pointer that it does not have")
        at = pointer * ROW + column
        return self.rows[at], self.rows[at + 1]

    def key(self, pointer: int) -> str:
        """The key of a pointer."""
        return self._text(*self._row(pointer, 0))

    def read_when(self, pointer: int) -> str:
        """The sentence of a pointer."""
        return self._text(*self._row(pointer, 2))

    def vetoes(self, pointer: int) -> list[tuple[int, str]]:
        """The ``not_when`` matchers of a pointer, as kind and pattern."""
        start, end = self._row(pointer, 4)
        return [self.matcher(number)[1:] for number in self._span(start, end, len(self.matchers) // MATCHER)]

    def together(self, pointer: int) -> set[int]:
        """The pointers that a pointer names as loading with it."""
        return self._related(pointer, 6)

    def overrides(self, pointer: int) -> set[int]:
        """The pointers that give way to a pointer."""
        return self._related(pointer, 8)

    def _related(self, pointer: int, column: int) -> set[int]:
        start, end = self._row(pointer, column)
        return {self.relations[at] for at in self._span(start, end, len(self.relations))}

    def _span(self, start: int, end: int, length: int) -> range:
        if not start <= end <= length:
            raise IndexUnreadableError("a list lies outside its section")
        return range(start, end)

    def matcher(self, number: int) -> tuple[int, int, str]:
        """A matcher: its pointer, its kind, its pattern."""
        if not 0 <= number < len(self.matchers) // MATCHER:
            raise IndexUnreadableError("it names a matcher that it does not have")
        at = number * MATCHER
        return self.matchers[at], self.matchers[at + 1], self._text(self.matchers[at + 2], self.matchers[at + 3])

    def gated(self, hashed: int) -> list[int]:
        """The matchers filed under a gate."""
        return [self.gate_rows[at] for at in _run(self.gates, hashed)]

    def stated(self, hashed: int) -> list[tuple[int, bool, str]]:
        """The statements with a hash: pointer, whether it is a negative, and its form."""
        found: list[tuple[int, bool, str]] = []
        for at in _run(self.said, hashed):
            pointer, negative, start, length = self.said_rows[at * SAID : at * SAID + SAID]
            found.append((pointer, bool(negative), self._text(start, length)))
        return found

    def postings(self, place: int) -> tuple[list[int], list[float]]:
        """Entries and weights of the term at a place; lists, which are walked faster than the mapped memory."""
        start, end = self.starts[place], self.starts[place + 1]
        self._span(start, end, len(self.ids))
        weights: list[float] = self.weights[start:end].tolist()  # type: ignore[assignment]  # typeshed knows whole numbers only
        return self.ids[start:end].tolist(), weights

    def weight(self, place: int, entry: int) -> float:
        """The weight of the term at a place in one entry; nought when it is not there."""
        start, end = self.starts[place], self.starts[place + 1]
        self._span(start, end, len(self.ids))
        at = bisect_left(self.ids, entry, start, end)
        return float(self.weights[at]) if at < end and self.ids[at] == entry else 0.0


def _run(hashes: Sequence[int], hashed: int) -> range:
    start = bisect_left(hashes, hashed)
    end = start
    while end < len(hashes) and hashes[end] == hashed:
        end += 1
    return range(start, end)
