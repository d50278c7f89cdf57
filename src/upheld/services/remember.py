"""remember: a new key with its first version."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from upheld.errors import UsageError
from upheld.model.change import Change, Event
from upheld.model.names import is_key
from upheld.services.base import Base
from upheld.services.lookup import lookup_of
from upheld.services.versions import Draft, Version, first


def plan_remember(
    draft: Draft, *, read_when: str, trigger: Mapping[str, object] | None, nonce: str
) -> Callable[[Base], Change]:
    """Return the plan that adds one key.

    Args:
        draft: the first version.
        read_when: when the pointer applies, as a sentence.
        trigger: structured matchers; None for none.
        nonce: four hexadecimal digits for the record's id.

    Raises:
        UsageError: (by the plan) the key is not one that we write, or it exists or was retired.
    """

    def plan(base: Base) -> Change:
        check_new_key(base, draft.key)
        version = first(draft, today=base.today, nonce=nonce)
        return Change(
            events=(Event(verb="remember", key=draft.key, after=version.record_sha256),),
            files=version.files,
            entries={draft.key: entry(draft.key, read_when, version, trigger)},
            retired={},
            bases={draft.key: None},
        )

    return plan


def check_new_key(base: Base, key: str) -> None:
    """Refuse a key that cannot be made.

    Raises:
        UsageError: it is not of the form that we write, or it is taken.
    """
    if not is_key(key):
        raise UsageError(
            f"{key!r:.80} cannot be a key",
            help="keys are 1 to 64 of a-z, 0-9 and -, begin with a letter or digit, and are no device name",
        )
    for other in lookup_of(base).lookalikes(base, key):
        raise UsageError(f"`{key}` and `{other}` are one name on some file systems", help="choose another key")
    if base.pointer(key) is not None:
        raise UsageError(f"`{key}` is remembered already", help=f"change it with `upheld correct {key}`")
    if base.retired(key) is not None:
        raise base.unknown(key)


def entry(
    key: str,
    read_when: str,
    version: Version,
    trigger: Mapping[str, object] | None,
    old: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Return an entry of the index that points at ``version``; what else the old entry held goes on."""
    made: dict[str, object] = {
        **(old or {}),
        "key": key,
        "read_when": read_when,
        "record_id": version.record_id,
        "target": version.target,
        "record_sha256": version.record_sha256,
    }
    if trigger is not None:
        made["trigger"] = trigger
    return made
