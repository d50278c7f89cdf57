"""The form of the route index: a head, and segments that are read in place, nothing parsed.

A *segment* holds what some pointers say, and what became of pointers in segments before it (``gone``). It never
changes, and nothing in it depends on any other: a weight is of one text alone, and how rare a term is, is added up over
the segments when a task is asked. A change of one key is one more small segment; small ones are merged.

A *head* names the segments in their order, and may hold the newest of them itself::

    magic 8 | order mark u32 | sum of the table u32 | digest of the sealed index 32
    limit f32 | tuned u32 | changed u32 | mark of the table of words u32 | segments u32
    then for each segment: name 16, length u32, where it lies in this file u32 (0: in a file of that name)

``limit`` is the probability from which a text alone matches; ``tuned`` how many statements there were when it was
chosen, and ``changed`` how many came or went since. A segment::

    magic 8 | order mark u32 | crc32 of what follows, up to the body, u32
    pointers u32 | entries u32 | statements u32 | statements gone u32 | blocks u32
    then for each section: where it begins in the body u32, length u32 (bytes)
    then for each block of the body (``BLOCK`` bytes, the last one shorter): its crc32 u32
    then the body

A reader holds each block to its sum before it believes a number in it: so a damaged file is found out wherever that
matters, at a cost of what is read and not of what there is. Numbers stand in the byte order of the machine that wrote
the file; the order mark refuses a stranger's. All of it is derived, lives in the user's own folder and is never
trusted: it names keys, and whoever reads it looks them up in the verified index.
"""

from __future__ import annotations

HEAD_MAGIC = b"UPHROUT4"
SEGMENT_MAGIC = b"UPHSEGM4"
ORDER_MARK = 0x01020304
HEAD = "=8sII32sfIIII"
HEAD_SIZE = 68
PART = "=16sII"
PART_SIZE = 24
SEGMENT = "=8sIIIIIII"
SEGMENT_SIZE = 36
BLOCK = 1 << 12
"""Bytes of a segment that have a sum of their own: a page of most machines, which is what is read at least anyway."""

MOST_SEGMENTS = 256

SECTIONS = (
    ("rows", "I"),  # ROW numbers a pointer
    ("names", "B"),  # every string, UTF-8, one after the other
    ("terms", "I"),  # sorted hashes of terms
    ("starts", "I"),  # where the postings of each term begin; one more than there are terms
    ("counts", "I"),  # in how many statements each term stands
    ("ids", "I"),  # entry of each posting, ascending within a term
    ("weights", "f"),  # weight of each posting
    ("often", "I"),  # in how many statements of the entry the term of a posting stands
    ("owners", "I"),  # pointer of each entry; entries past the pointers are their negatives
    ("sizes", "I"),  # how many statements each entry has
    ("stem_starts", "I"),  # where the stems of each entry begin; one more than there are entries
    ("stems", "I"),  # the stems of each entry, as terms
    ("senses", "b"),  # what each entry is about (``lexicon``)
    ("forward_starts", "I"),  # where the terms of each entry begin; one more than there are entries
    ("forward", "I"),  # the terms of each entry, as places
    ("forward_weights", "f"),  # and the weight of each
    ("said", "I"),  # sorted hashes of statements
    ("said_rows", "I"),  # SAID numbers a statement
    ("gates", "I"),  # sorted hashes of gates
    ("gate_rows", "I"),  # matcher of each gate
    ("matchers", "I"),  # MATCHER numbers a matcher
    ("relations", "I"),  # keys named by together_with and overrides: at, length
    ("gone", "I"),  # GONE numbers a pointer of an earlier segment that is no more
    ("gone_terms", "I"),  # sorted hashes of the terms of these
    ("gone_counts", "I"),  # in how many of their statements each stands
)

ROW = 14
"""key at, length; read_when at, length; matchers from, to; vetoes from, to; together from, to; overrides from, to;
mark of the rule, two numbers."""

KEY_AT, SENTENCE_AT, MATCHERS_AT, VETOES_AT, TOGETHER_AT, OVERRIDES_AT, MARK_AT = range(0, ROW, 2)
SAID = 4  # pointer, negative?, statement at, length
MATCHER = 4  # pointer, kind, pattern at, length
GONE = 5  # name of the segment as four numbers, pointer

PATH, TOOL, COMMAND, KEYWORD, KEY, BROKEN = range(6)
KINDS = ("path", "tool", "command", "keyword", "key", "trigger")
UNCALIBRATED = 2.0
"""A limit that no probability reaches: only structured or near-exact hits match."""

EVENNESS = 0.8
"""Power put on the weights of a centre, so that one loud statement does not outvote the others."""


class IndexUnreadableError(Exception):
    """The bytes are no route index of this form, or not the one that is wanted; caught inside ``routing``."""
