"""The head of a route index: which segments there are, in which order, and the limit that was chosen."""

from __future__ import annotations

from _struct import pack, unpack_from
from binascii import crc32

from upheld.model.value import Value
from upheld.routing.form import (
    HEAD,
    HEAD_MAGIC,
    HEAD_SIZE,
    MOST_SEGMENTS,
    ORDER_MARK,
    PART,
    PART_SIZE,
    UNCALIBRATED,
    IndexUnreadableError,
)


class Part(Value):
    """One segment as a head names it: its name (16 bytes), its length, and its bytes where the head holds them."""

    name: bytes
    length: int
    data: memoryview | bytes | None = None


class Head(Value):
    """A head.

    Attributes:
        digest: of the sealed index that it was built for, 32 bytes.
        limit: the probability from which a text alone matches.
        tuned: how many statements there were when the limit was chosen.
        changed: how many statements came or went since.
        lexicon: the mark of the table of words that it was built with.
        parts: the segments, oldest first.
    """

    digest: bytes = bytes(32)
    limit: float = UNCALIBRATED
    tuned: int = 0
    changed: int = 0
    lexicon: int = 0
    parts: tuple[Part, ...] = ()


def encode(head: Head) -> bytes:
    """The bytes of a head, the segments that it holds behind it."""
    at = HEAD_SIZE + PART_SIZE * len(head.parts)
    table, body = b"", b""
    for part in head.parts:
        place = 0
        if part.data is not None:
            place = at + len(body)
            body += bytes(part.data) + bytes(-len(part.data) % 4)
        table += pack(PART, part.name, part.length, place)
    counts = (head.limit, head.tuned, head.changed, head.lexicon, len(head.parts))
    tail = pack("=32sfIIII", head.digest, *counts) + table
    return pack(HEAD, HEAD_MAGIC, ORDER_MARK, crc32(tail), head.digest, *counts) + table + body


def decode(buffer: bytes | memoryview) -> Head:
    """Read a head; what it names is not looked at.

    Raises:
        IndexUnreadableError: with the reason.
    """
    view = memoryview(buffer).cast("B")
    if len(view) < HEAD_SIZE:
        raise IndexUnreadableError("it is too short")
    magic, order, checksum, digest, limit, tuned, changed, lexicon, count = unpack_from(HEAD, view)
    if magic != HEAD_MAGIC:
        raise IndexUnreadableError("it is of another form")
    if order != ORDER_MARK:
        raise IndexUnreadableError("it was written on a machine with another byte order")
    end = HEAD_SIZE + PART_SIZE * count
    if count > MOST_SEGMENTS or end > len(view) or crc32(view[16:end]) != checksum:
        raise IndexUnreadableError("its sum does not agree with its bytes")
    parts: list[Part] = []
    for number in range(count):
        name, length, at = unpack_from(PART, view, HEAD_SIZE + PART_SIZE * number)
        if at and (at < end or at + length > len(view) or at % 4):
            raise IndexUnreadableError("a part of it lies outside the file")
        parts.append(Part(name=name, length=length, data=view[at : at + length] if at else None))
    return Head(digest=digest, limit=limit, tuned=tuned, changed=changed, lexicon=lexicon, parts=tuple(parts))
