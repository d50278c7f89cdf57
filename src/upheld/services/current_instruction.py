"""One instruction that a store serves today, read for the screen to compare with."""

from __future__ import annotations

from upheld.model.draft import CurrentInstruction
from upheld.model.index import Pointer
from upheld.services.base import Base
from upheld.services.gather import read_record, read_source
from upheld.services.rules import examples_of, rule_of
from upheld.wire.examples import Examples


def read_instruction(base: Base, pointer: Pointer) -> CurrentInstruction | None:
    """Read one instruction; what is not the recorded bytes is not served, so nothing is compared with it."""
    member = read_record(base.store, pointer.target)
    record = member.record
    if record is None or member.faults or record.sha256 != pointer.record_sha256:
        return None
    source = read_source(base.store.read, record.durable_source)
    if source.data is None or source.sha256 != record.source_sha256:
        return None
    text = source.data.decode("utf-8", "replace")
    rule = rule_of(base.store, pointer)
    return CurrentInstruction(key=pointer.key, text=text, read_when=rule.read_when, fires=rule.fires, rule=rule)


def examples_held(base: Base, pointer: Pointer) -> Examples:
    """Return a pointer's examples; none where they cannot be read (``verify`` reports that)."""
    examples, _ = examples_of(base.store, pointer)
    return examples
