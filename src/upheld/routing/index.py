"""A route index: a head and its segments, read as one.

A pointer is named by a number that runs through all segments; so is a matcher. A pointer that a later segment says is
no more is left out of everything. The names of keys that come out are claims, to be looked up in the verified index.
"""

from __future__ import annotations

from _bisect import bisect_right
from math import log

from upheld.routing import head as heads
from upheld.routing.form import KEY, MATCHER, IndexUnreadableError
from upheld.routing.lexicon import Lexicon
from upheld.routing.segment import Segment
from upheld.routing.words import mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Index", "IndexUnreadableError"]


_MOST_TOLD = 16_384


def nowhere(name: bytes, length: int) -> memoryview | None:
    """Give no segment: for an index that is one file."""
    return None


class Index:
    """A route index over buffers.

    Args:
        buffer: the head as bytes or a memory map; kept as long as the index is used.
        digest: the 32-byte digest of the sealed index that it must have been built for; ``None`` to skip.
        whole: hold every segment to its sums now, and not each block when it is first read.
        lexicon: the table of words; it must be the one that the index was built with.
        segments: gives the bytes of a segment that the head only names; None where there is none.

    Raises:
        IndexUnreadableError: with the reason.
    """

    def __init__(
        self,
        buffer: bytes | memoryview,
        *,
        digest: bytes | None = None,
        whole: bool = True,
        lexicon: Lexicon | None = None,
        segments: Callable[[bytes, int], memoryview | None] = nowhere,
    ) -> None:
        self.head = heads.decode(buffer)
        if digest is not None and self.head.digest != digest:
            raise IndexUnreadableError("it was built for another version of the store")
        self.lexicon = lexicon or Lexicon()
        if self.head.lexicon != self.lexicon.mark:
            raise IndexUnreadableError("it was built with another table of words")
        self.segments = tuple(_segment(part, segments, whole=whole) for part in self.head.parts)
        self._bury()
        self._bases = _sums([segment.pointers for segment in self.segments])
        self._matchers = _sums([len(segment.matchers) // MATCHER for segment in self.segments])
        self.digest: bytes = self.head.digest
        self.limit: float = self.head.limit
        self.tuned: int = self.head.tuned
        self.pointers = self._bases[-1] - sum(len(segment.dead) for segment in self.segments)
        self.statements = sum(segment.statements - segment.statements_gone for segment in self.segments)
        self._weighed: dict[int, tuple[int, float, list[int]]] = {}
        self._gated: dict[int, list[int]] = {}

    def _bury(self) -> None:
        """Tell each segment which of its pointers are no more."""
        lost: dict[bytes, set[int]] = {}
        for segment in self.segments:
            for name, pointer in segment.gone():
                lost.setdefault(name, set()).add(pointer)
        for segment in self.segments:
            if segment.name in lost:
                segment.bury(frozenset(lost[segment.name]))

    def at(self, pointer: int) -> tuple[Segment, int]:
        """The segment of a pointer, and its number there."""
        number = bisect_right(self._bases, pointer) - 1
        if not 0 <= number < len(self.segments):
            raise IndexUnreadableError("it names a pointer that it does not have")
        return self.segments[number], pointer - self._bases[number]

    def key(self, pointer: int) -> str:
        """The key of a pointer."""
        segment, own = self.at(pointer)
        return segment.key(own)

    def read_when(self, pointer: int) -> str:
        """The sentence of a pointer."""
        segment, own = self.at(pointer)
        return segment.read_when(own)

    def vetoes(self, pointer: int) -> list[tuple[int, str]]:
        """The ``not_when`` matchers of a pointer, as kind and pattern."""
        segment, own = self.at(pointer)
        return segment.vetoes(own)

    def together(self, pointer: int) -> set[int]:
        """The pointers that a pointer names as loading with it."""
        segment, own = self.at(pointer)
        return {other for key in segment.together(own) for other in self.named(key)}

    def overrides(self, pointer: int) -> set[int]:
        """The pointers that give way to a pointer."""
        segment, own = self.at(pointer)
        return {other for key in segment.overrides(own) for other in self.named(key)}

    def named(self, key: str) -> list[int]:
        """The pointer that has this very key, if any."""
        found = (self.matcher(number) for number in self.gated(mark(f"{KEY}{key.casefold()}")))
        return [pointer for pointer, kind, other in found if kind == KEY and other == key]

    def matcher(self, number: int) -> tuple[int, int, str]:
        """A matcher: its pointer, its kind, its pattern."""
        at = bisect_right(self._matchers, number) - 1
        if not 0 <= at < len(self.segments):
            raise IndexUnreadableError("it names a matcher that it does not have")
        pointer, kind, pattern = self.segments[at].matcher(number - self._matchers[at])
        return pointer + self._bases[at], kind, pattern

    def gated(self, hashed: int) -> list[int]:
        """The matchers filed under a gate; not to be changed. Remembered, for a process that is asked often."""
        found = self._gated.get(hashed)
        if found is None:
            if len(self._gated) >= _MOST_TOLD:
                self._gated.clear()
            found = self._gated[hashed] = self._filed(hashed)
        return found

    def _filed(self, hashed: int) -> list[int]:
        found: list[int] = []
        for segment, base in zip(self.segments, self._matchers, strict=False):
            numbers = segment.gated(hashed)
            if segment.dead and numbers:
                numbers = [number for number in numbers if segment.matcher(number)[0] not in segment.dead]
            found += [base + number for number in numbers]
        return found

    def stated(self, hashed: int) -> list[tuple[int, bool, str]]:
        """The statements with a hash: pointer, whether it is a negative, and its form."""
        return [
            (base + pointer, negative, form)
            for segment, base in zip(self.segments, self._bases, strict=False)
            for pointer, negative, form in segment.stated(hashed)
            if pointer not in segment.dead
        ]

    def owner(self, part: int, entry: int) -> int:
        """The pointer of an entry of one segment, negative where the entry is of its negatives."""
        segment = self.segments[part]
        return self._bases[part] + segment.owner(entry)

    def weighed(self, hashed: int) -> tuple[int, float, list[int]]:
        """In how many statements a term stands, how rare that makes it, and where it stands in each segment.

        Remembered, for a process that is asked often.
        """
        found = self._weighed.get(hashed)
        if found is None:
            if len(self._weighed) >= _MOST_TOLD:
                self._weighed.clear()
            count, places = self.count(hashed)
            found = self._weighed[hashed] = (count, log((self.statements + 1) / (count + 0.5)), places)
        return found

    def count(self, hashed: int) -> tuple[int, list[int]]:
        """In how many statements a term stands, and where it stands in each segment (-1 where it does not)."""
        places = [segment.place(hashed) for segment in self.segments]
        total = 0
        for segment, place in zip(self.segments, places, strict=True):
            if place >= 0:
                total += segment.count(place)
            if segment.statements_gone:
                total -= segment.gone_count(hashed)
        return total, places


def _segment(part: heads.Part, segments: Callable[[bytes, int], memoryview | None], *, whole: bool) -> Segment:
    data = part.data if part.data is not None else segments(part.name, part.length)
    if data is None:
        raise IndexUnreadableError("a part of it is missing")
    return Segment(data, name=part.name, whole=whole)


def _sums(counts: list[int]) -> list[int]:
    sums = [0]
    for count in counts:
        sums.append(sums[-1] + count)
    return sums
