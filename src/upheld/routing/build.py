"""Write a route index: pure, from the rules of a store to bytes. Never on the read path.

The work is done entry by entry (an *entry* is the statements of one rule, or its negatives), so a later version can
keep the vectors of entries that did not change and only weigh them anew.
"""

from __future__ import annotations

import math
import struct
from array import array
from binascii import crc32

from upheld.routing.form import (
    BROKEN,
    EVENNESS,
    HEADER_SIZE,
    KEY,
    MAGIC,
    ORDER_MARK,
    PULL,
    SECTIONS,
    UNCALIBRATED,
)
from upheld.routing.matching import gate_of, is_sound, listed
from upheld.routing.terms import clipped, statement, terms
from upheld.routing.words import mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Rule

_NO_DIGEST = bytes(32)


def build(rules: tuple[Rule, ...], *, digest: bytes = _NO_DIGEST, limit: float = UNCALIBRATED, tuned: int = 0) -> bytes:
    """Build the bytes of a route index.

    Args:
        rules: the rules of one store; their order makes no difference to the bytes.
        digest: the 32 bytes of the digest of the sealed index that the rules were read from.
        limit: the probability from which a text alone is a match (``calibrate``).
        tuned: how many statements there were when that was chosen.

    Returns:
        The file. Malformed and blanket matchers are left out of the gates and kept by name, so that a reader can
        report them; refusing them at write is ``lint``'s.
    """
    ordered = sorted(rules, key=lambda rule: rule.key)
    writer = _Writer(len(ordered))
    for pointer, rule in enumerate(ordered):
        if not rule.broken:
            writer.add_statements(pointer, rule)
    positions = {rule.key: pointer for pointer, rule in enumerate(ordered)}
    for pointer, rule in enumerate(ordered):
        writer.add_row(pointer, rule, positions)
    writer.weigh()
    return writer.bytes(digest, limit, tuned)


def spoken(rule: Rule) -> list[list[str]]:
    """The statements that stand for a rule, as words: its sentence, examples, and its key if that adds a word."""
    said = [clipped(rule.read_when), *(clipped(example) for example in rule.fires)]
    name = clipped(rule.key.replace("-", " ").replace("_", " "))
    if not set(name) <= set(said[0]):
        said.append(name)
    return [found for found in said if found]


class _Writer:
    def __init__(self, pointers: int) -> None:
        self.pointers = pointers
        self.arrays: dict[str, array[int]] = {name: array(code) for name, code in SECTIONS if code != "f"}
        self.floats: dict[str, array[float]] = {name: array("f") for name, code in SECTIONS if code == "f"}
        self.places: dict[str, tuple[int, int]] = {}
        self.entries: list[list[dict[int, float]]] = [[] for _ in range(pointers)]
        self.owners = list(range(pointers))
        self.said: list[tuple[int, int, int, str]] = []
        self.gates: list[tuple[int, int]] = []

    def add_statements(self, pointer: int, rule: Rule) -> None:
        for found in spoken(rule):
            self.entries[pointer].append(terms(found))
        for text in (rule.read_when, *rule.fires):
            self._say(pointer, 0, text)
        for text in rule.nots:
            self._say(pointer, 1, text)
        negatives = [terms(found) for found in map(clipped, rule.nots) if found]
        if negatives:
            self.entries.append(negatives)
            self.owners.append(pointer)

    def _say(self, pointer: int, negative: int, text: str) -> None:
        found = clipped(text)
        if found:
            form = statement(found)
            self.said.append((mark(form), pointer, negative, form))

    def add_row(self, pointer: int, rule: Rule, positions: dict[str, int]) -> None:
        row = [*self._name(rule.key), *self._name(rule.read_when)]
        trigger = None if rule.broken else rule.trigger
        if rule.broken:
            self.gates.append((mark("unsound"), self._matcher(pointer, BROKEN, rule.broken)))
        for kind, pattern in listed(trigger):
            self._add_matcher(pointer, kind, pattern)
        self.gates.append((mark(f"{KEY}{rule.key.casefold()}"), self._matcher(pointer, KEY, rule.key)))
        row.append(len(self.arrays["matchers"]) // 4)
        for kind, pattern in listed(trigger.not_when if trigger else None):
            self._matcher(pointer, kind, pattern)
        row.append(len(self.arrays["matchers"]) // 4)
        for named in (trigger.together_with, trigger.overrides) if trigger else ((), ()):
            row.append(len(self.arrays["relations"]))
            self.arrays["relations"].extend(positions[key] for key in named if key in positions)
            row.append(len(self.arrays["relations"]))
        self.arrays["rows"].extend(row)

    def _add_matcher(self, pointer: int, kind: int, pattern: str) -> None:
        number = self._matcher(pointer, kind, pattern)
        if is_sound(kind, pattern):
            self.gates.append((mark(gate_of(kind, pattern)), number))
        else:
            self.gates.append((mark("unsound"), number))

    def _matcher(self, pointer: int, kind: int, pattern: str) -> int:
        self.arrays["matchers"].extend((pointer, kind, *self._name(pattern)))
        return len(self.arrays["matchers"]) // 4 - 1

    def _name(self, text: str) -> tuple[int, int]:
        if text not in self.places:
            raw = text.encode("utf-8", "replace")
            self.places[text] = (len(self.arrays["names"]), len(raw))
            self.arrays["names"].frombytes(raw)
        return self.places[text]

    def weigh(self) -> None:
        """Rarity over statements, then one unit vector an entry: the mean of its unit statements."""
        seen: dict[int, int] = {}
        for entry in self.entries:
            for vector in entry:
                for term in vector:
                    seen[term] = seen.get(term, 0) + 1
        total = sum(map(len, self.entries))
        rarity = {term: math.log((total + 1) / (count + 0.5)) for term, count in seen.items()}
        postings: dict[int, list[tuple[int, float]]] = {term: [] for term in rarity}
        for number, entry in enumerate(self.entries):
            for term, weight in _centre(entry, rarity).items():
                postings[term].append((number, weight))
        self._put_postings(postings, rarity)

    def _put_postings(self, postings: dict[int, list[tuple[int, float]]], rarity: dict[int, float]) -> None:
        put = self.arrays
        for term in sorted(postings):
            put["terms"].append(term)
            put["starts"].append(len(put["ids"]))
            self.floats["rarity"].append(rarity[term])
            put["ids"].extend(number for number, _ in postings[term])
            self.floats["weights"].extend(weight for _, weight in postings[term])
        put["starts"].append(len(put["ids"]))

    def bytes(self, digest: bytes, limit: float, tuned: int) -> bytes:
        put = self.arrays
        put["owners"].extend(self.owners)
        for hashed, pointer, negative, form in sorted(self.said):
            put["said"].append(hashed)
            put["said_rows"].extend((pointer, negative, *self._name(form)))
        for hashed, number in sorted(self.gates):
            put["gates"].append(hashed)
            put["gate_rows"].append(number)
        table, body = _lay_out([(self.floats if code == "f" else put)[name].tobytes() for name, code in SECTIONS])
        statements = sum(map(len, self.entries))
        tail = struct.pack("=32sIIIfI", digest, self.pointers, len(self.entries), statements, limit, tuned)
        tail += table + body
        return MAGIC + struct.pack("=II", ORDER_MARK, crc32(tail)) + tail


def _centre(entry: list[dict[int, float]], rarity: dict[int, float]) -> dict[int, float]:
    centre: dict[int, float] = {}
    for vector in entry:
        weighed = {term: weight * rarity[term] ** PULL for term, weight in vector.items()}
        length = math.sqrt(sum(weight * weight for weight in weighed.values())) or 1.0
        for term, weight in weighed.items():
            centre[term] = centre.get(term, 0.0) + weight / length / len(entry)
    centre = {term: weight**EVENNESS for term, weight in centre.items()}
    length = math.sqrt(sum(weight * weight for weight in centre.values())) or 1.0
    return {term: weight / length for term, weight in centre.items()}


def _lay_out(sections: list[bytes]) -> tuple[bytes, bytes]:
    at = HEADER_SIZE + 8 * len(sections)
    table, body = b"", []
    for raw in sections:
        table += struct.pack("=II", at, len(raw))
        padded = raw + bytes(-len(raw) % 4)
        body.append(padded)
        at += len(padded)
    return table, b"".join(body)
