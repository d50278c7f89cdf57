"""The table of words that ships with the core router: which words mean alike, read in place.

For each stem: a 256-bit code, in which words that mean alike differ in few bits; 64 whole numbers, whose mean over a
text says what the text is about; and how much the word counts there (common words count less). The table is made by
``benchmarks/routing/make_lexicon.py`` and depends on no store, so an entry's numbers never have to be worked out again.
"""

from __future__ import annotations

from _bisect import bisect_left
from _operator import add, mul
from _struct import pack as packed
from _struct import unpack_from
from binascii import crc32
from math import cos, pi, sqrt

from upheld.routing.words import FUNCTION_WORDS, mark, stem

MAGIC = b"UPHLEX01"
ORDER_MARK = 0x01020304
BITS = 256
DIMENSIONS = 64
SCALE = 127
_HEADER = "=8sIII"
_SIZE = 20
_CODE = BITS // 8
_FUNCTION_SHARE = 0.5
_MOST_SEEN = 65_536
_MOST_READ = 2_048
FAR = 0.2
"""Words whose likeness is below this have nothing in common."""

LIKENESS = [max(0.0, cos(pi * differ / BITS)) for differ in range(BITS + 1)]
ALIKE = [found * found if found > FAR else 0.0 for found in LIKENESS]
"""By how many bits two codes differ: how alike the words are, from 0 to 1."""


class Lexicon:
    """The table over a buffer; an empty buffer is the table of no words.

    Raises:
        ValueError: the bytes are no such table, or one of a machine with another byte order.
    """

    __slots__ = ("_codes", "_read", "_rows", "_seen", "_shares", "_stems", "mark")

    def __init__(self, buffer: bytes | memoryview = b"") -> None:
        view = memoryview(buffer).cast("B")
        self.mark = 0
        rows = 0
        if len(view):
            magic, order, self.mark, rows = unpack_from(_HEADER, view)
            if magic != MAGIC or order != ORDER_MARK or len(view) != _SIZE + rows * (8 + _CODE + DIMENSIONS):
                raise ValueError("this is no table of words")
        at = _SIZE
        self._stems = view[at : at + 4 * rows].cast("I")
        at += 4 * rows
        self._shares: memoryview[float] = view[at : at + 4 * rows].cast("f")
        at += 4 * rows
        self._codes = view[at : at + _CODE * rows]
        at += _CODE * rows
        self._rows = view[at : at + DIMENSIONS * rows].cast("b")
        self._seen: dict[int, int] = {}
        self._read: dict[str, list[float]] = {}

    def _place(self, hashed: int) -> int:
        at = bisect_left(self._stems, hashed)
        return at if at < len(self._stems) and self._stems[at] == hashed else -1

    def code(self, hashed: int) -> int:
        """The code of a stem, given its term; nought for a word that is not in the table."""
        found = self._seen.get(hashed)
        if found is None:
            at = self._place(hashed)
            found = 0 if at < 0 else int.from_bytes(self._codes[at * _CODE : at * _CODE + _CODE], "little")
            if len(self._seen) >= _MOST_SEEN:
                self._seen.clear()
            self._seen[hashed] = found
        return found

    def codes(self, stems: list[int]) -> list[int]:
        """The codes of those stems that are in the table."""
        seen = self._seen
        try:
            found = [seen[hashed] for hashed in stems]
        except KeyError:
            found = [self.code(hashed) for hashed in stems]
        return [code for code in found if code]

    def sense(self, found: list[str]) -> list[float]:
        """What a text is about: 64 numbers of length one together; all nought where no word is known."""
        sums = [0.0] * DIMENSIONS
        for word in found:
            row = self._read.get(word)
            if row is None:
                if len(self._read) >= _MOST_READ:
                    self._read.clear()
                row = self._read[word] = self._row(word)
            if row:
                sums = list(map(add, sums, row))
        return unit(sums)

    def _row(self, word: str) -> list[float]:
        """What one word adds; nothing where it is not in the table."""
        at = self._place(mark("w" + stem(word)))
        if at < 0:
            return []
        share = self._shares[at] * (_FUNCTION_SHARE if word in FUNCTION_WORDS else 1.0)
        return [share * part for part in self._rows[at * DIMENSIONS : (at + 1) * DIMENSIONS]]


def unit(numbers: list[float]) -> list[float]:
    """Bring a list of numbers to length one; all nought stays so."""
    length = sqrt(sum(map(mul, numbers, numbers)))
    return [number / length for number in numbers] if length else numbers


def whole(numbers: list[float]) -> bytes:
    """A unit list of numbers as bytes, one a number."""
    return packed(f"={len(numbers)}b", *(round(number * SCALE) for number in numbers))


def pack(rows: dict[int, tuple[bytes, bytes, float]]) -> bytes:
    """The bytes of a table: by the term of each stem its code, its numbers and its share."""
    ordered = sorted(rows)
    body = packed(f"={len(ordered)}I", *ordered)
    body += packed(f"={len(ordered)}f", *(rows[hashed][2] for hashed in ordered))
    body += b"".join(rows[hashed][0] for hashed in ordered) + b"".join(rows[hashed][1] for hashed in ordered)
    return packed(_HEADER, MAGIC, ORDER_MARK, crc32(body) or 1, len(ordered)) + body
