"""Keep what triggers say of each other true: who names a key that goes is mended in the commit that takes it away."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from upheld.model.change import Change, Event
from upheld.services.base import Base
from upheld.services.lookup import lookup_of
from upheld.services.ties import names_key
from upheld.wire.trigger import RELATIONS


def no_longer_named(plan: Callable[[Base], Change], key: str, instead: str | None = None) -> Callable[[Base], Change]:
    """Return a plan that also mends every ``together_with`` and ``overrides`` of others which names a key.

    Args:
        plan: takes the key away, or gives it another name.
        key: the key.
        instead: its new name; None where it is no more. Each pointer that is mended has an event of its own.
    """

    def mended(base: Base) -> Change:
        change = plan(base)
        events, entries, bases = list(change.events), dict(change.entries), dict(change.bases)
        for pointer in lookup_of(base).tied(base, frozenset((names_key(key),))):
            if pointer.key in entries or not isinstance(pointer.trigger, Mapping):
                continue
            trigger = _without(pointer.trigger, key, instead)
            if trigger != pointer.trigger:
                entries[pointer.key] = _with(pointer.fields, trigger)
                bases[pointer.key] = pointer.record_sha256
                sha256 = pointer.record_sha256
                events.append(Event(verb="triggers", key=pointer.key, before=sha256, after=sha256))
        return change.replace(events=tuple(events), entries=entries, bases=bases)

    return mended


def _without(trigger: Mapping[str, object], key: str, instead: str | None) -> dict[str, object]:
    made = dict(trigger)
    for name in RELATIONS:
        named = made.get(name)
        if isinstance(named, list) and key in named:
            left = [instead if other == key else other for other in named]
            made[name] = [other for other in dict.fromkeys(left) if other is not None]
            if not made[name]:
                del made[name]
    return made


def _with(fields: Mapping[str, object], trigger: dict[str, object]) -> dict[str, object]:
    made = {**fields, "trigger": trigger}
    if not trigger:
        del made["trigger"]
    return made
