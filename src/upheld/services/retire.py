"""retire: a key that no longer applies. Its last version says so, and its pointer becomes a retired entry."""

from __future__ import annotations

from collections.abc import Callable

from upheld.model.change import Change, Event
from upheld.policy.windows import choose
from upheld.services.base import Base
from upheld.services.correct import next_number, nothing, served
from upheld.services.lost_source import settled
from upheld.services.remember import entry
from upheld.services.versions import Draft, carried, following

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Recover

TOMBSTONE = """# Retired

Do not act on `{key}`: it was retired on {day} and no longer applies.
"""


def plan_retire(
    key: str,
    *,
    because: str,
    base_sha256: str,
    nonce: str,
    owner: str | None = None,
    evidence: str | None = None,
    reviewed_by: str | None = None,
    recover: Recover = nothing,
) -> Callable[[Base], Change]:
    """Return the plan that retires one key.

    Args:
        key: a current key.
        because: why; it stands in the last record.
        base_sha256: digest of the record that was looked at.
        nonce: four hexadecimal digits for the record's id.
        owner: whom to ask about it; None for who owned it.
        evidence: what it was decided on.
        reviewed_by: who decided, where that is not who asked.
        recover: gives bytes of the store's past, for a source that was changed or lost in place.

    Raises:
        UsageError: (by the plan) the key is unknown.
        RefusedError: (by the plan) its chain is damaged.
    """

    def plan(base: Base) -> Change:
        chain = base.current(key)
        pointer, old = served(chain)
        review_on, expires_on = choose(base.today, volatility="stable")
        draft = Draft(
            key=key,
            text=TOMBSTONE.format(key=key, day=base.today).encode(),
            because=because,
            owner=owner or old.owner,
            review_on=review_on,
            expires_on=expires_on,
            evidence=evidence,
            reviewed_by=reviewed_by,
            tombstone="retired",
        )
        below = settled(chain, recover, base.today)
        top = below.chain.records[0]
        version = following(draft, top, next_number(chain), today=base.today, nonce=nonce, keep=carried(old))
        files = {**below.chain.files, **below.files, **version.files}
        files.pop(top.place, None)
        return Change(
            events=(Event(verb="retire", key=key, before=old.sha256, after=version.record_sha256),),
            files=files,
            entries={key: None},
            retired={key: entry(key, pointer.read_when, version, pointer.trigger, pointer.fields)},
            replaces=tuple(sorted({*version.replaces, *below.chain.replaces, old.place} - set(files))),
            bases={key: base_sha256},
        )

    return plan
