"""Many keys in one commit, to bring a store past the limits at which its index splits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

from upheld.compose import sealing
from upheld.compose.clock import today
from upheld.compose.gate import gate_for
from upheld.model.change import Change, Event
from upheld.model.index import LEAF_LIMIT
from upheld.services.base import Base
from upheld.services.commit import commit
from upheld.services.remember import entry
from upheld.services.versions import Draft, first
from upheld.stores.directory_writer import open_writable
from upheld.wire.day import days_after

TWO_LEVELS = LEAF_LIMIT + 1
"""So many keys no longer stand in the root node."""
THREE_LEVELS = 16 * LEAF_LIMIT + 1
"""So many keys no longer stand in the root's sixteen children: at least one of these has children too."""


def plan_many(drafts: Iterable[Draft], nonce: str = "d0d0") -> Callable[[Base], Change]:
    """Return the plan that remembers many new keys at once. That they are new is the caller's affair."""

    def plan(base: Base) -> Change:
        versions = {draft.key: first(draft, today=base.today, nonce=nonce) for draft in drafts}
        return Change(
            events=tuple(
                Event(verb="remember", key=key, after=version.record_sha256) for key, version in versions.items()
            ),
            files={name: data for version in versions.values() for name, data in version.files.items()},
            entries={key: entry(key, f"When {key} comes up", version, None) for key, version in versions.items()},
            retired={},
            bases=dict.fromkeys(versions),
        )

    return plan


def plan_forget(key: str) -> Callable[[Base], Change]:
    """Return a plan that takes one key out of the index, so that leaves join again. No command does this."""

    def plan(base: Base) -> Change:
        [member] = base.current(key).members
        assert member.source is not None
        return Change(
            events=(Event(verb="retire", key=key),),
            files={},
            entries={key: None},
            retired={key: None},
            replaces=(member.place, member.source.place),
            bases={},
        )

    return plan


def keys_under(digit: str, count: int, prefix: str = "deep") -> list[str]:
    """Return keys that all lead to one child of the root node."""
    found: list[str] = []
    number = 0
    while len(found) < count:
        key = f"{prefix}-{number:05}"
        if sha256(key.encode()).hexdigest()[0] == digit:
            found.append(key)
        number += 1
    return found


def remember_many(store: str, keys: Iterable[str], *, by: str = "ada") -> None:
    """Remember many new keys in a sealed store, as the user whom the environment names, in one commit."""
    drafts = [
        Draft(
            key=key,
            text=f"# {key}\n\nDo as {key} says.\n".encode(),
            because="It has to be known.",
            owner=by,
            review_on=days_after(today(), 60),
            expires_on=days_after(today(), 200),
        )
        for key in keys
    ]
    with open_writable(store) as opened:
        gate = gate_for(opened, store)
        sealer = sealing.sealer_for(gate, sealing.key_sources(None, lambda _: None))
        commit(sealing.writer_to(opened, gate, sealer, by), plan_many(drafts))
