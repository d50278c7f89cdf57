"""correct: a new version of a key, the old one closed over it, the pointer moved last."""

from __future__ import annotations

from collections.abc import Callable

from upheld.model.chain import Chain
from upheld.model.change import Change, Event
from upheld.model.index import Pointer
from upheld.model.record import Record
from upheld.services.base import Base
from upheld.services.lost_source import settled
from upheld.services.remember import entry
from upheld.services.versions import Draft, carried, following

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Recover


def nothing(name: str, sha256: str) -> bytes | None:
    """Recover nothing: there is no history."""
    return None


def plan_correct(
    draft: Draft,
    *,
    base_sha256: str,
    nonce: str,
    verb: str = "correct",
    recover: Recover = nothing,
) -> Callable[[Base], Change]:
    """Return the plan that supersedes the current version of a key.

    Args:
        draft: the new version.
        base_sha256: digest of the record that the new text was made from; if the key has moved on since, the commit
            is a conflict.
        nonce: four hexadecimal digits for the record's id.
        verb: what the log is to call it.
        recover: gives bytes of the store's past, for a source that was changed or lost in place.

    Raises:
        UsageError: (by the plan) the key is unknown; a correction never makes one.
        RefusedError: (by the plan) the chain is damaged in a way that a correction does not mend.
    """

    def plan(base: Base) -> Change:
        chain = base.current(draft.key)
        pointer, old = served(chain)
        below = settled(chain, recover, base.today)
        version = following(
            draft,
            below.chain.records[0],
            next_number(chain),
            today=base.today,
            nonce=nonce,
            keep=carried(old),
        )
        # The closed record takes the place of the rewritten one, which is never published.
        files = {**below.chain.files, **below.files, **version.files}
        files.pop(below.chain.records[0].place, None)
        return Change(
            events=(Event(verb=verb, key=draft.key, before=old.sha256, after=version.record_sha256),),
            files=files,
            entries={draft.key: entry(draft.key, pointer.read_when, version, pointer.trigger, pointer.fields)},
            retired={},
            replaces=tuple(sorted({*version.replaces, *below.chain.replaces, old.place} - set(files))),
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
