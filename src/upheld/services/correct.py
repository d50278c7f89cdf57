"""correct: a new version of a key, the old one closed over it, the pointer moved last."""

from __future__ import annotations

from collections.abc import Callable

from upheld.model.chain import Chain
from upheld.model.change import Change, Event
from upheld.model.index import Pointer
from upheld.model.record import Record
from upheld.services.base import Base
from upheld.services.remember import entry
from upheld.services.versions import Draft, carried, following


def plan_correct(draft: Draft, *, base_sha256: str, nonce: str, verb: str = "correct") -> Callable[[Base], Change]:
    """Return the plan that supersedes the current version of a key.

    Args:
        draft: the new version.
        base_sha256: digest of the record that the new text was made from; if the key has moved on since, the commit
            is a conflict.
        nonce: four hexadecimal digits for the record's id.
        verb: what the log is to call it.

    Raises:
        UsageError: (by the plan) the key is unknown; a correction never makes one.
        RefusedError: (by the plan) the chain is damaged in a way that a correction does not mend.
    """

    def plan(base: Base) -> Change:
        chain = base.current(draft.key)
        pointer, old = served(chain)
        version = following(
            draft,
            old,
            next_number(chain),
            today=base.today,
            nonce=nonce,
            keep=carried(old),
        )
        return Change(
            events=(Event(verb=verb, key=draft.key, before=old.sha256, after=version.record_sha256),),
            files=version.files,
            entries={draft.key: entry(draft.key, pointer.read_when, version, pointer.trigger, pointer.fields)},
            retired={},
            replaces=version.replaces,
            bases={draft.key: base_sha256},
        )

    return plan


def served(chain: Chain) -> tuple[Pointer, Record]:
    """Return the pointer and the current record of a chain that ``Base.current`` gave."""
    if not isinstance(chain.pointer, Pointer) or chain.current.record is None:
        raise AssertionError("a current chain has a pointer and a record")
    return chain.pointer, chain.current.record


def next_number(chain: Chain) -> int:
    """Return the number of the next version: one more than the chain is long, or than its newest id says."""
    number = len(chain.members)
    record = chain.current.record
    if record is not None:
        digits = record.id.rpartition("-v")[2].partition("-")[0]
        if digits.isascii() and digits.isdigit() and len(digits) < 9:
            number = max(number, int(digits))
    return number + 1
