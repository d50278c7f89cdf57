"""What a pointer can have in common with another: the statements and matchers of its trigger, and the keys it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256

from upheld.model.index import Pointer
from upheld.model.route import Rule
from upheld.ports.store import ReadableStore
from upheld.routing.matching import listed
from upheld.routing.terms import clipped, statement
from upheld.services.rules import rule_of
from upheld.wire.trigger import RELATIONS


def ties_of(store: ReadableStore, pointer: Pointer) -> frozenset[str]:
    """Return everything that may tie a pointer to others, as words that are equal where it is the same."""
    return rule_ties(rule_of(store, pointer)) | frozenset(_named(pointer.trigger))


def rule_ties(rule: Rule) -> frozenset[str]:
    """Return what a trigger may share with others: its statements in their form of comparison, and its matchers."""
    said = (f"says {statement(clipped(text))}" for text in (rule.read_when, *rule.fires))
    return frozenset((*said, *(f"matches {kind} {pattern}" for kind, pattern in listed(rule.trigger))))


def names_key(key: str) -> str:
    """Return the tie of every pointer whose trigger names a key."""
    return f"names {key}"


def mark_of(tie: str) -> int:
    """Return the 63-bit mark by which the near index keeps a tie."""
    return int.from_bytes(sha256(tie.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 1


def _named(trigger: object) -> Iterator[str]:
    """A trigger that cannot be read may name keys all the same."""
    if not isinstance(trigger, Mapping):
        return
    for field in RELATIONS:
        named = trigger.get(field)
        yield from (names_key(key) for key in (named if isinstance(named, list) else ()) if isinstance(key, str))
