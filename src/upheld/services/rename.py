"""rename: one correction under the new key. The old key's retired entry says where it went; no date moves."""

from __future__ import annotations

from collections.abc import Callable

from upheld.errors import UsageError
from upheld.model.change import Change, Event
from upheld.model.index import Pointer
from upheld.model.record import Record
from upheld.services.base import Base
from upheld.services.chains import records
from upheld.services.correct import next_number, served
from upheld.services.remember import check_new_key, entry
from upheld.services.verify_leaf import MAX_TRIGGERS, trigger_place
from upheld.services.versions import Draft, Version, carried, following
from upheld.wire.digest import sha256_hex


def plan_rename(key: str, new: str, *, because: str, base_sha256: str, nonce: str) -> Callable[[Base], Change]:
    """Return the plan that gives a key another name.

    Args:
        key: a current key.
        new: a key that is free, or one that this same instruction had before.
        because: why.
        base_sha256: digest of the record that was looked at.
        nonce: four hexadecimal digits for the record's id.

    Raises:
        UsageError: (by the plan) the old key is unknown or the new one is taken.
        RefusedError: (by the plan) the chain is damaged, or its source is not what was verified.
    """

    def plan(base: Base) -> Change:
        chain = base.current(key)
        pointer, old = served(chain)
        source = chain.current.source
        if source is None or source.data is None or source.sha256 != old.source_sha256:
            raise UsageError(f"the source of `{key}` was changed", help=f"settle that first: `upheld review {key}`")
        goes_back = _goes_back(base, new, records(chain))
        if not goes_back:
            check_new_key(base, new)
        draft = Draft(
            key=new,
            text=source.data,
            because=because,
            owner=old.owner,
            review_on=old.review_on,
            expires_on=old.expires_on,
            evidence=old.evidence,
            reviewed_by=old.reviewed_by,
            bound_source=old.bound_source,
            recorded_on=old.recorded_on or old.last_verified,
            last_verified=old.last_verified or old.recorded_on,
        )
        version = following(draft, old, next_number(chain), today=base.today, nonce=nonce, keep=carried(old))
        files, replaces = _with_trigger(base, pointer, new, version)
        verb = "rename-back" if goes_back else "rename"
        return Change(
            events=(Event(verb=verb, key=new, before=old.sha256, after=version.record_sha256),),
            files=files,
            entries={key: None, new: entry(new, pointer.read_when, version, pointer.trigger, pointer.fields)},
            retired={key: _left(key, new, old, version), new: None},
            replaces=replaces,
            bases={key: base_sha256, new: None},
        )

    return plan


def _goes_back(base: Base, new: str, chain: tuple[Record, ...]) -> bool:
    """Whether ``new`` is an old name of this very chain."""
    retired = base.retired(new)
    return retired is not None and retired.renamed_to is not None and retired.record_id in {r.id for r in chain}


def _left(key: str, new: str, old: Record, version: Version) -> dict[str, object]:
    """Return what stays under the old name: where its last record is, and where the instruction went."""
    start = f"records/{old.id}."
    target = next(name for name in version.files if name.startswith(start))
    return {
        "key": key,
        "record_id": old.id,
        "target": target,
        "record_sha256": sha256_hex(version.files[target]),
        "renamed_to": new,
    }


def _with_trigger(base: Base, pointer: Pointer, new: str, version: Version) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Trigger examples bear the key in their name, so they move along."""
    files = dict(version.files)
    if pointer.trigger_sha256 is None:
        return files, version.replaces
    old = trigger_place(pointer.key, pointer.trigger_sha256)
    files[trigger_place(new, pointer.trigger_sha256)] = base.store.read(old, MAX_TRIGGERS)
    return files, (*version.replaces, old)
