"""Write one segment of a route index, and take one apart again: ``pieces(write(p)) == p``, so merging is exact."""

from __future__ import annotations

import struct
from array import array
from binascii import crc32

from upheld.routing.form import (
    BLOCK,
    BROKEN,
    KEY,
    KEY_AT,
    MATCHERS_AT,
    ORDER_MARK,
    OVERRIDES_AT,
    SAID,
    SECTIONS,
    SEGMENT_MAGIC,
    SENTENCE_AT,
    TOGETHER_AT,
    VETOES_AT,
)
from upheld.routing.matching import gate_of, is_sound
from upheld.routing.piece import Entry, Piece
from upheld.routing.words import mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from upheld.routing.segment import Segment

Gone = dict[tuple[bytes, int], Piece]
"""What is no more: by segment and pointer what it said."""


def write(pieces: Iterable[Piece], gone: Gone | None = None) -> bytes:
    """The bytes of a segment; the order of the pieces makes no difference to them.

    Args:
        pieces: what is in it, each key once.
        gone: pointers of segments before it that are no more.
    """
    return write_in_order(sorted(pieces, key=lambda piece: piece.key), gone)


def write_in_order(pieces: Iterable[Piece], gone: Gone | None = None) -> bytes:
    """The bytes of a segment, as ``write``, from pieces in the order of their keys; each is let go once written."""
    writer = _Writer()
    negatives: list[tuple[int, Entry]] = []
    pointers = 0
    for number, piece in enumerate(pieces):
        writer.add_pointer(number, piece)
        writer.add_entry(number, piece.entries[0])
        negatives += [(number, entry) for entry in piece.entries[1:]]
        pointers += 1
    for number, entry in negatives:
        writer.add_entry(number, entry)
    writer.add_postings()
    return writer.bytes(pointers, gone or {})


class _Writer:
    def __init__(self) -> None:
        self.arrays: dict[str, array[int]] = {name: array(code) for name, code in SECTIONS if code != "f"}
        self.floats: dict[str, array[float]] = {name: array("f") for name, code in SECTIONS if code == "f"}
        self.places: dict[str, tuple[int, int]] = {}
        self.arrays["stem_starts"].append(0)
        self.arrays["forward_starts"].append(0)
        self.often = array("I")
        self.said: list[tuple[int, int, int, str]] = []
        self.gates: list[tuple[int, int]] = []

    def add_pointer(self, number: int, piece: Piece) -> None:
        row = [*self._name(piece.key), *self._name(piece.read_when)]
        row.append(self._next_matcher())
        for kind, pattern in piece.matchers:
            gate = gate_of(kind, pattern) if is_sound(kind, pattern) else "unsound"
            self.gates.append((mark(gate), self._matcher(number, kind, pattern)))
        row += [self._next_matcher()] * 2
        for kind, pattern in piece.vetoes:
            self._matcher(number, kind, pattern)
        row.append(self._next_matcher())
        self.gates.append((mark(f"{KEY}{piece.key.casefold()}"), self._matcher(number, KEY, piece.key)))
        if piece.broken:
            self.gates.append((mark("unsound"), self._matcher(number, BROKEN, piece.broken)))
        for keys in (piece.together, piece.overrides):
            row.append(len(self.arrays["relations"]) // 2)
            for key in keys:
                self.arrays["relations"].extend(self._name(key))
            row.append(len(self.arrays["relations"]) // 2)
        self.arrays["rows"].extend((*row, *piece.mark))
        self.said.extend((mark(form), number, negative, form) for negative, form in piece.said)

    def _next_matcher(self) -> int:
        return len(self.arrays["matchers"]) // 4

    def _matcher(self, pointer: int, kind: int, pattern: str) -> int:
        self.arrays["matchers"].extend((pointer, kind, *self._name(pattern)))
        return self._next_matcher() - 1

    def _name(self, text: str) -> tuple[int, int]:
        if text not in self.places:
            raw = text.encode("utf-8", "replace")
            self.places[text] = (len(self.arrays["names"]), len(raw))
            self.arrays["names"].frombytes(raw)
        return self.places[text]

    def add_entry(self, owner: int, entry: Entry) -> None:
        """One entry: the statements of every pointer come first, in order; then the negatives of some."""
        put = self.arrays
        put["owners"].append(owner)
        put["sizes"].append(entry.size)
        put["stems"].extend(entry.stems)
        put["stem_starts"].append(len(put["stems"]))
        put["senses"].frombytes(entry.sense)
        put["forward"].extend([term for term, _, _ in entry.weights])  # turned into places by ``add_postings``
        self.floats["forward_weights"].extend([weight for _, weight, _ in entry.weights])
        self.often.extend([often for _, _, often in entry.weights])
        put["forward_starts"].append(len(put["forward"]))

    def add_postings(self) -> None:
        """The same the other way round: by term the entries that have it. Arrays only: there may be ten million."""
        put, forward = self.arrays, self.arrays["forward"]
        posted: dict[int, int] = {}
        for term in forward:
            posted[term] = posted.get(term, 0) + 1
        put["terms"].extend(sorted(posted))
        places = {term: place for place, term in enumerate(put["terms"])}
        put["starts"].append(0)
        for term in put["terms"]:
            put["starts"].append(put["starts"][-1] + posted[term])
        put["counts"].frombytes(bytes(4 * len(places)))
        put["ids"].frombytes(bytes(4 * len(forward)))
        put["often"].frombytes(bytes(4 * len(forward)))
        self.floats["weights"].frombytes(bytes(4 * len(forward)))
        self._fill(places, put["starts"][:-1])

    def _fill(self, places: dict[int, int], free: array[int]) -> None:
        put, forward, starts = self.arrays, self.arrays["forward"], self.arrays["forward_starts"]
        ids, often, counts, weights = put["ids"], put["often"], put["counts"], self.floats["weights"]
        given, times = self.floats["forward_weights"], self.often
        for number in range(len(put["owners"])):
            for at in range(starts[number], starts[number + 1]):
                place = forward[at] = places[forward[at]]
                slot = free[place]
                free[place] = slot + 1
                ids[slot], weights[slot], often[slot] = number, given[at], times[at]
                counts[place] += times[at]

    def bytes(self, pointers: int, gone: Gone) -> bytes:
        put = self.arrays
        for hashed, pointer, negative, form in sorted(self.said):
            put["said"].append(hashed)
            put["said_rows"].extend((pointer, negative, *self._name(form)))
        for hashed, number in sorted(self.gates):
            put["gates"].append(hashed)
            put["gate_rows"].append(number)
        lost = self._add_gone(gone)
        table, body = _lay_out([memoryview((self.floats if code == "f" else put)[name]) for name, code in SECTIONS])
        sums = _block_sums(body)
        counts = struct.pack("=5I", pointers, len(put["owners"]), sum(put["sizes"]), lost, len(sums) // 4)
        checksum = crc32(sums, crc32(table, crc32(counts)))
        return b"".join([struct.pack("=8sII", SEGMENT_MAGIC, ORDER_MARK, checksum), counts, table, sums, *body])

    def _add_gone(self, gone: Gone) -> int:
        put = self.arrays
        terms: dict[int, int] = {}
        lost = 0
        for (name, pointer), piece in sorted(gone.items(), key=lambda item: item[0]):
            put["gone"].frombytes(name)
            put["gone"].append(pointer)
            for entry in piece.entries:
                lost += entry.size
                for term, _, often in entry.weights:
                    terms[term] = terms.get(term, 0) + often
        put["gone_terms"].extend(sorted(terms))
        put["gone_counts"].extend(terms[term] for term in sorted(terms))
        return lost


def _lay_out(sections: list[memoryview]) -> tuple[bytes, list[memoryview]]:
    """The table of sections; and each with what fills it up to a multiple of four. Nothing is copied."""
    at = 0
    table: list[int] = []
    body: list[memoryview] = []
    for section in sections:
        raw = section.cast("B")
        filled = -len(raw) % 4
        table += (at, len(raw))
        body += (raw, memoryview(bytes(filled)))
        at += len(raw) + filled
    return struct.pack(f"={len(table)}I", *table), body


def _block_sums(body: list[memoryview]) -> bytes:
    """The sum of every ``BLOCK`` bytes of a body that comes in parts."""
    sums = array("I")
    checksum, room = 0, BLOCK
    for part in body:
        at = 0
        while at < len(part):
            piece = part[at : at + room]
            checksum = crc32(piece, checksum)
            at += len(piece)
            room -= len(piece)
            if not room:
                sums.append(checksum)
                checksum, room = 0, BLOCK
    if room < BLOCK:
        sums.append(checksum)
    return sums.tobytes()


def pieces(segment: Segment) -> list[Piece]:
    """Everything in a segment that still is, as it was when it was written."""
    segment.hold_all()
    said: dict[int, list[tuple[int, str]]] = {}
    rows = segment.said_rows
    for at in range(0, len(rows), SAID):
        said.setdefault(rows[at], []).append((rows[at + 1], segment.text(rows[at + 2], rows[at + 3])))
    vectors = _vectors(segment)
    entries: dict[int, list[Entry]] = {}
    for number, owner in enumerate(segment.owners):
        entries.setdefault(owner, []).append(_entry_of(segment, number, vectors[number]))
    return [
        piece_in(segment, number, entries[number], said.get(number, []))
        for number in range(segment.pointers)
        if number not in segment.dead
    ]


def _vectors(segment: Segment) -> list[list[tuple[int, float, int]]]:
    found: list[list[tuple[int, float, int]]] = [[] for _ in range(segment.entries)]
    for place, term in enumerate(segment.terms):
        for at in segment.posted(place):
            found[segment.ids[at]].append((term, segment.weights[at], segment.often[at]))
    return found


def lost_piece(segment: Segment, number: int) -> Piece:
    """One pointer of a segment, found without walking all of it; what it said near-exactly is left out."""
    own = segment.entries_of(number)
    return piece_in(segment, number, [_entry_of(segment, entry, _vector(segment, entry)) for entry in own], [])


def _vector(segment: Segment, entry: int) -> list[tuple[int, float, int]]:
    found: list[tuple[int, float, int]] = []
    for place, weight in zip(*segment.vector(entry), strict=True):
        found.append((segment.term(place), weight, segment.times(place, entry)))
    return found


def _entry_of(segment: Segment, number: int, weights: list[tuple[int, float, int]]) -> Entry:
    return Entry(
        size=segment.size(number),
        weights=tuple(weights),
        stems=tuple(segment.stems_of(number)),
        sense=struct.pack(f"={len(segment.sense(number))}b", *segment.sense(number)),
    )


def piece_in(segment: Segment, number: int, entries: list[Entry], said: list[tuple[int, str]]) -> Piece:
    """One pointer of a segment, given its vectors and statements."""
    return Piece(
        key=segment.text(*segment.row(number, KEY_AT)),
        read_when=segment.text(*segment.row(number, SENTENCE_AT)),
        broken=_broken(segment, number),
        mark=segment.mark(number),
        matchers=tuple(segment.listed(number, MATCHERS_AT)),
        vetoes=tuple(segment.listed(number, VETOES_AT)),
        together=segment.related(number, TOGETHER_AT),
        overrides=segment.related(number, OVERRIDES_AT),
        said=tuple(said),
        entries=tuple(entries),
    )


def _broken(segment: Segment, number: int) -> str:
    found = (segment.matcher(at) for at in segment.gated(mark("unsound")))
    return next((why for pointer, kind, why in found if pointer == number and kind == BROKEN), "")
