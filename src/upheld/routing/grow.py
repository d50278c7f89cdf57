"""Carry a route index on from one version of a store to the next, at a cost that the change has, not the store.

A change is one more segment, which holds what came and names what went. Behind a segment that is less than four times
as large as all after it, these are merged with it, up to ``MOST_MERGED`` pointers: so there are few segments, and each
pointer is rewritten a few times at most. Whatever the order of changes and merges, the index answers as one that
``build`` makes from the rules that are left: nothing in a segment depends on another one, and counts add up.
"""

from __future__ import annotations

from upheld.model.value import Value
from upheld.routing.form import MOST_SEGMENTS, UNCALIBRATED
from upheld.routing.head import Head, Part
from upheld.routing.index import Index
from upheld.routing.piece import Piece, mark_of, piece_of
from upheld.routing.segment import Segment
from upheld.routing.write import lost_piece, pieces, write, write_in_order
from upheld.wire.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from upheld.model.route import Rule
    from upheld.routing.lexicon import Lexicon
    from upheld.routing.write import Gone

INLINE = 32
"""Pointers that the head itself may hold: it is written anew with every change."""

MOST_MERGED = 4_096
"""Pointers up to which a change merges segments, which takes about a second; ``triggers build`` merges all."""

_RATIO = 4


class Grown(Value):
    """A head, and the segments to put beside it first: by name in hexadecimal."""

    head: Head
    files: Mapping[str, bytes]


def whole(rules: Iterable[Rule], lexicon: Lexicon, *, digest: bytes) -> Grown:
    """Build from all rules, without looking at any earlier index. The limit is the caller's to set."""
    ordered = sorted(rules, key=lambda rule: rule.key)
    part, size = _part(write_in_order(piece_of(rule, lexicon) for rule in ordered))
    return _placed(Head(digest=digest, lexicon=lexicon.mark), [part], [size])


def differing(index: Index, rules: Iterable[Rule]) -> dict[str, Rule | None]:
    """What an index of another version of the store has to be told: by key its rule, None where it is no more."""
    marks: dict[str, tuple[int, int]] = {}
    for segment in index.segments:
        for pointer in range(segment.pointers):
            if pointer not in segment.dead:
                marks[segment.key(pointer)] = segment.mark(pointer)
    changed: dict[str, Rule | None] = {rule.key: rule for rule in rules if marks.get(rule.key) != mark_of(rule)}
    same = {rule.key for rule in rules}
    changed.update({key: None for key in marks if key not in same})
    return changed


def grow(index: Index, changed: Mapping[str, Rule | None], *, digest: bytes) -> Grown:
    """Carry an index on.

    Args:
        index: the index as it is, every segment of it at hand.
        changed: by key its new rule; None for a key that is no more. A key that is new, or says the same, may be here.
        digest: of the sealed index that it is now for, 32 bytes.

    Raises:
        IndexUnreadableError: the index is damaged.
    """
    gone: Gone = {}
    came: list[Piece] = []
    for key, rule in changed.items():
        found = [index.at(pointer) for pointer in index.named(key)]
        if rule is not None and [segment.mark(own) for segment, own in found] == [mark_of(rule)]:
            continue  # a correction of what the key serves, which says nothing new about when
        gone.update({(segment.name, own): lost_piece(segment, own) for segment, own in found})
        came += [piece_of(rule, index.lexicon)] if rule is not None else []
    moved = sum(_statements(piece) for piece in (*came, *gone.values()))
    head = index.head.replace(digest=digest, changed=index.head.changed + moved)
    parts = list(head.parts)
    segments = list(index.segments)
    if came or gone:
        part, _ = _part(write(came, gone))
        parts.append(part)
        segments.append(Segment(part.data or b"", name=part.name, whole=False))
    _bury(segments, gone)
    sizes = [segment.pointers + len(segment.gone()) for segment in segments]
    start = _merged_from(sizes)
    if start < len(parts) - 1:
        part, size = _part(_merge(segments, start))
        parts[start:], sizes[start:] = [part], [size]
    return _placed(head, parts, sizes)


def _statements(piece: Piece) -> int:
    return sum(entry.size for entry in piece.entries)


def _bury(segments: list[Segment], gone: Gone) -> None:
    for segment in segments:
        lost = {pointer for name, pointer in gone if name == segment.name}
        if lost:
            segment.bury(segment.dead | lost)


def _merged_from(sizes: list[int]) -> int:
    """The first of the segments that become one; the last one where none do."""
    start = len(sizes) - 1
    total = sizes[start] if sizes else 0
    while start > 0 and (total * _RATIO >= sizes[start - 1] or len(sizes) >= MOST_SEGMENTS):
        if total + sizes[start - 1] > MOST_MERGED and len(sizes) < MOST_SEGMENTS:
            break
        start -= 1
        total += sizes[start]
    return start


def _merge(segments: list[Segment], start: int) -> bytes:
    """One segment for all from ``start`` on. What they say of segments before them stays said."""
    before = {segment.name: segment for segment in segments[:start]}
    gone: Gone = {}
    for segment in segments[start:]:
        for name, pointer in segment.gone():
            if name in before:
                gone[name, pointer] = lost_piece(before[name], pointer)
    return write([piece for segment in segments[start:] for piece in pieces(segment)], gone)


def _part(data: bytes) -> tuple[Part, int]:
    segment = Segment(data, whole=False)
    size = segment.pointers + len(segment.gone())
    return Part(name=bytes.fromhex(sha256_hex(data)[:32]), length=len(data), data=data), size


def _placed(head: Head, parts: list[Part], sizes: list[int]) -> Grown:
    """The newest, as far as they are small, go into the head; the others into files of their own."""
    files: dict[str, bytes] = {}
    placed: list[Part] = []
    room = INLINE
    for part, size in zip(reversed(parts), reversed(sizes), strict=True):
        room -= size
        if room < 0 and part.data is not None:
            files[part.name.hex()] = bytes(part.data)
            placed.append(part.replace(data=None))
        else:
            placed.append(part)
    return Grown(head=head.replace(parts=tuple(reversed(placed))), files=files)


def tuned(grown: Grown, limit: float, statements: int) -> Grown:
    """Set the limit that was chosen for an index, and how many statements it was chosen on."""
    return grown.replace(head=grown.head.replace(limit=limit, tuned=statements, changed=0))


def untuned(grown: Grown) -> Grown:
    """Take the limit away: texts alone no longer match."""
    return grown.replace(head=grown.head.replace(limit=UNCALIBRATED, tuned=0, changed=0))
