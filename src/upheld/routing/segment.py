"""Read one segment of a route index in place: memoryviews over its sections, nothing parsed.

Every number is held to the sum of its block before it is believed, once for each block, so that no damage leads to an
answer. A sorted list is searched first and held afterwards: where the two neighbours of what was found are sound, and
what is asked for lies between them, damage elsewhere cannot have led the search astray. Whatever bytes come, reading
raises nothing but ``IndexUnreadableError``, or what following a wrong number raises (``router`` catches both).
"""

from __future__ import annotations

from _bisect import bisect_left
from _struct import unpack_from
from binascii import crc32

from upheld.routing.form import (
    BLOCK,
    GONE,
    KEY_AT,
    MARK_AT,
    MATCHER,
    ORDER_MARK,
    OVERRIDES_AT,
    ROW,
    SAID,
    SECTIONS,
    SEGMENT,
    SEGMENT_MAGIC,
    SEGMENT_SIZE,
    SENTENCE_AT,
    TOGETHER_AT,
    VETOES_AT,
    IndexUnreadableError,
)
from upheld.routing.lexicon import DIMENSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = 1 << 31
_WIDTH = 4
_DAMAGED = "its sum does not agree with its bytes"
_MOST_PLACES = 65_536
_MOST_TERMS = 262_144
"""Terms of entries that are remembered by a process that is asked often; about 100 bytes each."""

_MOST_POSTED = 262_144
"""Postings that are remembered likewise; about 70 bytes each."""

_MOST_SENSES = 4_096


class Segment:
    """One segment.

    Args:
        buffer: its bytes, kept as long as it is used.
        name: what the head calls it: 16 bytes.
        whole: hold all of it to its sums now, and not each block when it is first read.

    Raises:
        IndexUnreadableError: with the reason.
    """

    def __init__(self, buffer: bytes | memoryview, *, name: bytes = bytes(16), whole: bool = True) -> None:
        view = memoryview(buffer).cast("B")
        if not SEGMENT_SIZE + 8 * len(SECTIONS) <= len(view) < LARGEST:
            raise IndexUnreadableError("a part of it is too short or too long")
        magic, order, checksum, *counts, blocks = unpack_from(SEGMENT, view)
        if magic != SEGMENT_MAGIC or order != ORDER_MARK:
            raise IndexUnreadableError("a part of it is of another form")
        sums = SEGMENT_SIZE + 8 * len(SECTIONS)
        start = sums + 4 * blocks
        if start > len(view) or crc32(view[16:start]) != checksum or blocks != -(-(len(view) - start) // BLOCK):
            raise IndexUnreadableError(_DAMAGED)
        self._body = view[start:]
        self._sums = view[sums:start].cast("I")
        self._sound = bytearray(blocks)
        self.name = name
        self.pointers, self.entries, self.statements, self.statements_gone = counts
        self.dead: frozenset[int] = frozenset()
        self.dead_entries: list[int] = []
        self._places: dict[int, int] = {}
        self._vectors: dict[int, dict[int, float]] = {}
        self._vector_terms = 0
        self._postings: dict[int, tuple[list[int], list[float]]] = {}
        self._posted = 0
        self._senses: dict[int, list[int]] = {}
        self.alike: dict[int, float] = {}
        self.answering: dict[int, tuple[frozenset[int], list[int]]] = {}
        self._placed: dict[str, tuple[int, int]] = {}
        self._open_sections(view[SEGMENT_SIZE:sums].cast("I").tolist())
        self._check_counts()
        if whole:
            self.hold_all()

    def _open_sections(self, table: list[int]) -> None:
        parts: dict[str, memoryview] = {}
        for number, (name, code) in enumerate(SECTIONS):
            at, length = table[2 * number], table[2 * number + 1]
            if at % _WIDTH or at + length > len(self._body) or (code in "If" and length % _WIDTH):
                raise IndexUnreadableError(f"its section `{name}` lies outside the file")
            part = self._body[at : at + length]
            parts[name] = part if code == "B" else part.cast(code)  # type: ignore[call-overload]  # codes are checked
            self._placed[name] = (at, _WIDTH if code in "If" else 1)
        self._names = parts["names"]
        self.rows, self.relations = parts["rows"], parts["relations"]
        self.terms, self.starts, self.counts = parts["terms"], parts["starts"], parts["counts"]
        self.ids, self.often = parts["ids"], parts["often"]
        self.weights: memoryview[float] = parts["weights"]  # type: ignore[assignment]  # cast to floats above
        self.owners, self.sizes = parts["owners"], parts["sizes"]
        self.stem_starts, self.stems, self.senses = parts["stem_starts"], parts["stems"], parts["senses"]
        self.forward_starts, self.forward = parts["forward_starts"], parts["forward"]
        self.forward_weights: memoryview[float] = parts["forward_weights"]  # type: ignore[assignment]  # likewise
        self.said, self.said_rows = parts["said"], parts["said_rows"]
        self.gates, self.gate_rows, self.matchers = parts["gates"], parts["gate_rows"], parts["matchers"]
        self._gone = parts["gone"]
        self.gone_terms, self.gone_counts = parts["gone_terms"], parts["gone_counts"]

    def _check_counts(self) -> None:
        sound = (
            len(self.rows) == self.pointers * ROW
            and len(self.owners) == len(self.sizes) == self.entries >= self.pointers
            and len(self.starts) == len(self.terms) + 1 == len(self.counts) + 1
            and len(self.ids) == len(self.weights) == len(self.often)
            and len(self.stem_starts) == len(self.forward_starts) == self.entries + 1
            and len(self.forward) == len(self.forward_weights)
            and len(self.senses) == self.entries * DIMENSIONS
            and len(self.said_rows) == len(self.said) * SAID
            and len(self.gate_rows) == len(self.gates)
            and len(self.matchers) % MATCHER == len(self.relations) % 2 == len(self._gone) % GONE == 0
            and len(self.gone_terms) == len(self.gone_counts)
        )
        if not sound:
            raise IndexUnreadableError("its sections do not fit together")

    def hold_all(self) -> None:
        """Hold every block to its sum: for whoever reads all of it.

        Raises:
            IndexUnreadableError: one of them is damaged.
        """
        for block, sound in enumerate(self._sound):
            if not sound:
                self._hold_block(block)

    def hold(self, section: str, start: int, end: int) -> None:
        """Hold some numbers of a section to the sums of the blocks that they lie in, each block once.

        Raises:
            IndexUnreadableError: one of them is damaged.
        """
        if start >= end:
            return
        at, width = self._placed[section]
        sound = self._sound
        for block in range((at + start * width) // BLOCK, (at + end * width - 1) // BLOCK + 1):
            if not sound[block]:
                self._hold_block(block)

    def _hold_block(self, block: int) -> None:
        if crc32(self._body[block * BLOCK : (block + 1) * BLOCK]) != self._sums[block]:
            raise IndexUnreadableError(_DAMAGED)
        self._sound[block] = 1

    def _searched(self, section: str, numbers: Sequence[int], wanted: int, low: int, high: int) -> int:
        """Where a number stands in an ascending part of a section, or would."""
        at = bisect_left(numbers, wanted, low, high)
        self.hold(section, max(low, at - 1), min(high, at + 1))
        if (at > low and numbers[at - 1] >= wanted) or (at < high and numbers[at] < wanted):
            raise IndexUnreadableError(_DAMAGED)
        return at

    def _run(self, section: str, hashes: Sequence[int], hashed: int) -> range:
        """Where one number stands in an ascending section, as often as it does."""
        start = end = self._searched(section, hashes, hashed, 0, len(hashes))
        while end < len(hashes) and hashes[end] == hashed:
            end += 1
        self.hold(section, start, min(len(hashes), end + 1))
        return range(start, end)

    def _listed(self, section: str, starts: Sequence[int], number: int, of: str, length: int) -> range:
        """The part of the section ``of`` that belongs to one of those that ``starts`` is about; held."""
        self.hold(section, number, number + 2)
        found = span(starts[number], starts[number + 1], length)
        self.hold(of, found.start, found.stop)
        return found

    def bury(self, dead: frozenset[int]) -> None:
        """Say which of its pointers are no more."""
        self.dead = dead
        self.dead_entries = [entry for pointer in sorted(dead) for entry in self.entries_of(pointer)]

    def entries_of(self, pointer: int) -> list[int]:
        """The entries of a pointer: its statements, and its negatives where it has any."""
        if not 0 <= pointer < self.pointers:
            raise IndexUnreadableError("it names a pointer that it does not have")
        at = self._searched("owners", self.owners, pointer, self.pointers, self.entries)
        return [pointer, at] if at < self.entries and self.owners[at] == pointer else [pointer]

    def owner(self, entry: int) -> int:
        """The pointer of an entry."""
        self.hold("owners", entry, entry + 1)
        return self.owners[entry]

    def mark(self, pointer: int) -> tuple[int, int]:
        """By what a changed rule is told from an unchanged one."""
        return self.row(pointer, MARK_AT)

    def text(self, at: int, length: int) -> str:
        """A string of the segment."""
        if at + length > len(self._names):
            raise IndexUnreadableError("a name lies outside the file")
        self.hold("names", at, at + length)
        return str(self._names[at : at + length], "utf-8")

    def row(self, pointer: int, column: int) -> tuple[int, int]:
        """Two numbers of a pointer's row."""
        if not 0 <= pointer < self.pointers:
            raise IndexUnreadableError("it names a pointer that it does not have")
        at = pointer * ROW + column
        self.hold("rows", at, at + 2)
        return self.rows[at], self.rows[at + 1]

    def key(self, pointer: int) -> str:
        """The key of a pointer."""
        return self.text(*self.row(pointer, KEY_AT))

    def read_when(self, pointer: int) -> str:
        """The sentence of a pointer."""
        return self.text(*self.row(pointer, SENTENCE_AT))

    def vetoes(self, pointer: int) -> list[tuple[int, str]]:
        """The ``not_when`` matchers of a pointer, as kind and pattern."""
        return self.listed(pointer, VETOES_AT)

    def listed(self, pointer: int, column: int) -> list[tuple[int, str]]:
        """Matchers of a pointer, as kind and pattern."""
        start, end = self.row(pointer, column)
        return [self.matcher(number)[1:] for number in span(start, end, len(self.matchers) // MATCHER)]

    def together(self, pointer: int) -> tuple[str, ...]:
        """The keys that a pointer names as loading with it."""
        return self.related(pointer, TOGETHER_AT)

    def overrides(self, pointer: int) -> tuple[str, ...]:
        """The keys that give way to a pointer."""
        return self.related(pointer, OVERRIDES_AT)

    def related(self, pointer: int, column: int) -> tuple[str, ...]:
        """The keys in one column of relations."""
        start, end = self.row(pointer, column)
        numbers = span(start, end, len(self.relations) // 2)
        self.hold("relations", 2 * start, 2 * end)
        return tuple(self.text(self.relations[2 * at], self.relations[2 * at + 1]) for at in numbers)

    def matcher(self, number: int) -> tuple[int, int, str]:
        """A matcher: its pointer, its kind, its pattern."""
        if not 0 <= number < len(self.matchers) // MATCHER:
            raise IndexUnreadableError("it names a matcher that it does not have")
        self.hold("matchers", number * MATCHER, number * MATCHER + MATCHER)
        pointer, kind, at, length = self.matchers[number * MATCHER : number * MATCHER + MATCHER]
        return pointer, kind, self.text(at, length)

    def gated(self, hashed: int) -> list[int]:
        """The matchers filed under a gate."""
        found = self._run("gates", self.gates, hashed)
        self.hold("gate_rows", found.start, found.stop)
        return [self.gate_rows[at] for at in found]

    def stated(self, hashed: int) -> list[tuple[int, bool, str]]:
        """The statements with a hash: pointer, whether it is a negative, and its form."""
        found: list[tuple[int, bool, str]] = []
        for at in self._run("said", self.said, hashed):
            self.hold("said_rows", at * SAID, at * SAID + SAID)
            pointer, negative, start, length = self.said_rows[at * SAID : at * SAID + SAID]
            found.append((pointer, bool(negative), self.text(start, length)))
        return found

    def place(self, hashed: int) -> int:
        """Where a term stands; -1 where it does not."""
        found = self._places.get(hashed)
        if found is None:
            at = self._searched("terms", self.terms, hashed, 0, len(self.terms))
            found = at if at < len(self.terms) and self.terms[at] == hashed else -1
            if len(self._places) >= _MOST_PLACES:
                self._places.clear()
            self._places[hashed] = found
        return found

    def gone_count(self, hashed: int) -> int:
        """In how many statements that are no more a term stood."""
        at = self._searched("gone_terms", self.gone_terms, hashed, 0, len(self.gone_terms))
        if at == len(self.gone_terms) or self.gone_terms[at] != hashed:
            return 0
        self.hold("gone_counts", at, at + 1)
        return self.gone_counts[at]

    def count(self, place: int) -> int:
        """In how many statements the term at a place stands."""
        self.hold("counts", place, place + 1)
        return self.counts[place]

    def gone(self) -> list[tuple[bytes, int]]:
        """The pointers of earlier segments that are no more: name of the segment, pointer."""
        self.hold("gone", 0, len(self._gone))
        return [
            (bytes(self._gone[at : at + GONE - 1].cast("B")), self._gone[at + GONE - 1])
            for at in range(0, len(self._gone), GONE)
        ]

    def posted(self, place: int) -> range:
        """Where the postings of a term lie."""
        return self._listed("starts", self.starts, place, "ids", len(self.ids))

    def postings(self, place: int) -> tuple[list[int], list[float]]:
        """The entries that have the term at a place, and its weight in each; not to be changed."""
        found = self._postings.get(place)
        if found is None:
            at = self.posted(place)
            self.hold("weights", at.start, at.stop)
            weights: list[float] = self.weights[at.start : at.stop].tolist()  # type: ignore[assignment]  # likewise
            found = (self.ids[at.start : at.stop].tolist(), weights)
            self._posted += len(weights)
            if self._posted > _MOST_POSTED:
                self._postings.clear()
                self._posted = len(weights)
            self._postings[place] = found
        return found

    def posting(self, place: int, entry: int) -> int:
        """Where the posting of a term for an entry lies; -1 when it is not there."""
        self.hold("starts", place, place + 2)
        found = span(self.starts[place], self.starts[place + 1], len(self.ids))
        at = self._searched("ids", self.ids, entry, found.start, found.stop)
        return at if at < found.stop and self.ids[at] == entry else -1

    def term(self, place: int) -> int:
        """The term at a place."""
        self.hold("terms", place, place + 1)
        return self.terms[place]

    def times(self, place: int, entry: int) -> int:
        """In how many statements of an entry the term at a place stands."""
        at = self.posting(place, entry)
        if at < 0:
            raise IndexUnreadableError("an entry has a term that no posting knows of")
        self.hold("often", at, at + 1)
        return self.often[at]

    def size(self, entry: int) -> int:
        """How many statements an entry has."""
        self.hold("sizes", entry, entry + 1)
        return self.sizes[entry]

    def stems_of(self, entry: int) -> list[int]:
        """The stems of an entry."""
        found = self._listed("stem_starts", self.stem_starts, entry, "stems", len(self.stems))
        return self.stems[found.start : found.stop].tolist()

    def vector(self, entry: int) -> tuple[list[int], list[float]]:
        """The places of an entry's terms, and the weight of each; lists, which are walked faster than mapped memory."""
        found = self._listed("forward_starts", self.forward_starts, entry, "forward", len(self.forward))
        self.hold("forward_weights", found.start, found.stop)
        weights: list[float] = self.forward_weights[found.start : found.stop].tolist()  # type: ignore[assignment]
        return self.forward[found.start : found.stop].tolist(), weights

    def weights_of(self, entry: int) -> dict[int, float]:
        """The weights of an entry's terms, by their place; not to be changed."""
        found = self._vectors.get(entry)
        if found is None:
            found = dict(zip(*self.vector(entry), strict=True))
            self._vector_terms += len(found)
            if self._vector_terms > _MOST_TERMS:
                self._vectors.clear()
                self._vector_terms = len(found)
            self._vectors[entry] = found
        return found

    def sense(self, entry: int) -> list[int]:
        """What an entry is about; not to be changed."""
        found = self._senses.get(entry)
        if found is None:
            if len(self._senses) >= _MOST_SENSES:
                self._senses.clear()
            self.hold("senses", entry * DIMENSIONS, (entry + 1) * DIMENSIONS)
            found = self._senses[entry] = self.senses[entry * DIMENSIONS : (entry + 1) * DIMENSIONS].tolist()
        return found


def span(start: int, end: int, length: int) -> range:
    """A list inside a section."""
    if not start <= end <= length:
        raise IndexUnreadableError("a list lies outside its section")
    return range(start, end)
