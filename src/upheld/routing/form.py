"""The form of the route index file: one header, then sections that are read in place, nothing parsed.

::

    magic 8 | order mark u32 | crc32 of what follows u32 | digest of the sealed index 32
    pointers u32 | entries u32 | statements u32 | limit f32 | tuned u32
    then for each section: offset u32, length u32 (bytes)

``tuned`` is how many statements there were when ``limit`` was chosen.

Numbers stand in the byte order of the machine that wrote the file; the order mark refuses a stranger's. The file is
derived, lives in the user's own folder and is never trusted: it names keys, and whoever reads it looks them up in the
verified index.
"""

from __future__ import annotations

MAGIC = b"UPHROUT2"
ORDER_MARK = 0x01020304
HEADER = "=8sII32sIIIfI"
HEADER_SIZE = 68

SECTIONS = (
    ("rows", "I"),  # ROW numbers a pointer
    ("names", "B"),  # every string, UTF-8, one after the other
    ("terms", "I"),  # sorted hashes of terms
    ("starts", "I"),  # where the postings of each term begin; one more than there are terms
    ("rarity", "f"),  # inverse document frequency of each term
    ("ids", "I"),  # entry of each posting, ascending within a term
    ("weights", "f"),  # weight of each posting
    ("owners", "I"),  # pointer of each entry; entries past the pointers are their negatives
    ("said", "I"),  # sorted hashes of statements
    ("said_rows", "I"),  # SAID numbers a statement
    ("gates", "I"),  # sorted hashes of gates
    ("gate_rows", "I"),  # matcher of each gate
    ("matchers", "I"),  # MATCHER numbers a matcher
    ("relations", "I"),  # pointers named by together_with and overrides
)

ROW = 10  # key at, length; read_when at, length; vetoes from, to; together from, to; overrides from, to
SAID = 4  # pointer, negative?, statement at, length
MATCHER = 4  # pointer, kind, pattern at, length

PATH, TOOL, COMMAND, KEYWORD, KEY, BROKEN = range(6)
KINDS = ("path", "tool", "command", "keyword", "key", "trigger")
UNCALIBRATED = 2.0
"""A limit that no probability reaches: only structured or near-exact hits match."""

EVENNESS = 0.8
"""Power put on the weights of a centre, so that one loud statement does not outvote the others."""

PULL = 0.7
"""Power put on the rarity of a term where vectors are weighed."""
