"""A client of a sealed store in memory: what it pins, admits, recalls and remembers."""

from __future__ import annotations

from typing import Any

from upheld.model.answer import Answer, Refusal
from upheld.services.admission import Gate
from upheld.services.recall import recall
from upheld.services.snapshot import Admission, read_index
from upheld.services.trust_pin import trust_pin
from upheld.testing.builder import DAY
from upheld.testing.memory_state import MemoryState
from upheld.testing.memory_store import MemoryStore
from upheld.testing.sealed import SealedBuilder

KEY = "customer-copy"
TEXT = "# Copy\n\nUse the full name.\n"
NEXT = "# Refunds\n\nWithin 30 days.\n"


def sound(*holders: str, **fields: Any) -> SealedBuilder:
    """A builder of a store with one key; ``fields`` go to the trust root."""
    builder = SealedBuilder(*holders, **fields)
    builder.remember(KEY, TEXT)
    return builder


def gate(store: MemoryStore, state: MemoryState, today: str = DAY, **more: Any) -> Gate:
    return Gate(store=store, state=state, writable=lambda: state, today=today, now=f"{today}T12:00:00Z", **more)


def admit(store: MemoryStore, state: MemoryState, today: str = DAY, **more: Any) -> Admission:
    data, index = read_index(store)
    return gate(store, state, today, **more).admit(data, index)


def codes(store: MemoryStore, state: MemoryState, today: str = DAY, **more: Any) -> list[str]:
    """The codes of the refusal; empty where the index is admitted."""
    return [finding.code for finding in admit(store, state, today, **more).refusals]


def pinned(store: MemoryStore, today: str = DAY) -> MemoryState:
    """A client that has pinned a store."""
    state = MemoryState()
    _, index = read_index(store)
    trust_pin(gate(store, state, today), index.root_sha256 or "")
    return state


def recalled(store: MemoryStore, state: MemoryState, today: str = DAY, **more: Any) -> Answer | Refusal:
    opened = gate(store, state, today, **more)
    outcome = recall(store, KEY, as_of=today, today=today, admit=opened.admit)
    if isinstance(outcome, Answer):
        opened.answered()
    return outcome
