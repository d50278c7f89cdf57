"""Put own changes on top of what others published meanwhile: a merge by key, never by line.

The index says of each key which record governs it, and a record's chain hangs from it by digests. So a key that only
one side touched has one right answer, and its files are that side's, byte for byte. A key that both sides touched is a
conflict that a person settles: nothing is guessed from dates or texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from upheld.errors import UsageError
from upheld.model.change import Change, Event
from upheld.model.draft_state import NO_STATE, Choice, KeyConflict, KeyState, Merge
from upheld.model.index import Node, Pointer, Retired
from upheld.services.ancestry import Version, own_events
from upheld.services.base import Base
from upheld.services.correct import plan_correct, served
from upheld.services.gather import gather
from upheld.services.versions import Draft
from upheld.wire.index import key_of

ROOT_KEY = ""
"""Stands for the trust root among the keys: it may be in conflict like one."""
_LIMIT = 16 * 1024 * 1024


def merge(base: Version, mine: Version, theirs: Version, choices: Iterable[Choice] = ()) -> Merge:
    """Work out what becomes of each key that was changed here since ``base``."""
    ours, others = differing(base.base, mine.base), differing(base.base, theirs.base)
    parts: dict[str, list[str]] = {"taken": [], "already": [], "mine": [], "theirs": []}
    conflicts: list[KeyConflict] = []
    settled = {choice.conflict: choice.side for choice in choices}
    for group in _linked(ours):
        if not any(key in others for key in group):
            parts["taken"] += group
        elif all(ours[key] == state_of(theirs.base, key) for key in group):
            parts["already"] += group
        else:
            found = [_conflict(key, ours[key], state_of(theirs.base, key)) for key in group if key in others]
            sides = {settled.get(conflict, "") for conflict in found}
            if sides in ({"mine"}, {"theirs"}):
                parts[sides.pop()] += group
            else:
                conflicts += found
    takes_root, disagreement = _root(base, mine, theirs)
    return Merge(
        taken=tuple(parts["taken"]),
        already=tuple(parts["already"]),
        corrected=tuple(parts["mine"]),
        dropped=tuple(parts["theirs"]),
        conflicts=(*conflicts, *disagreement),
        takes_root=takes_root,
    )


def differing(old: Base, new: Base) -> dict[str, KeyState]:
    """Return the keys whose state differs between two versions, with their state in ``new``.

    Lower nodes of the index that both versions share are never opened.
    """
    shared = _digests(old.index.node) & _digests(new.index.node)
    before, after = _states(old, old.index.node, shared), _states(new, new.index.node, shared)
    return {
        key: after.get(key, NO_STATE)
        for key in sorted({*before, *after})
        if before.get(key, NO_STATE) != after.get(key, NO_STATE)
    }


def state_of(base: Base, key: str) -> KeyState:
    """Return what one version says of a key."""
    pointer, retired = base.pointer(key), base.retired(key)
    return (pointer.fields if pointer else None, retired.fields if retired else None)


def plan_replay(base: Version, mine: Version, merged: Merge, *, nonce: str) -> Callable[[Base], Change]:
    """Return the plan that puts own changes on top of the version that it is given: one commit for all of them.

    Args:
        base: the newest version that both sides know.
        mine: our own.
        merged: what ``merge`` made of it, without conflicts.
        nonce: four hexadecimal digits, for the ids of records that a person's choice makes anew.

    Raises:
        UsageError: (by the plan) a choice cannot be carried out as it stands.
    """

    def plan(on_top_of: Base) -> Change:
        events = own_events(mine.events_after(base.number))
        kept = {*merged.taken, *([ROOT_KEY] if merged.takes_root else [])}
        change = _graft(base, mine, merged, tuple(event for event in events if event.key in kept))
        for key in merged.corrected:
            change = _joined(change, _corrected(base, mine, on_top_of, key, nonce))
        return change

    return plan


def _graft(base: Version, mine: Version, merged: Merge, events: tuple[Event, ...]) -> Change:
    files: dict[str, bytes] = {}
    gone: set[str] = set()
    states = {key: state_of(mine.base, key) for key in merged.taken}
    for key in merged.taken:
        named = names_of(mine.base, key)
        files |= {name: mine.store.read(name, _LIMIT) for name in named if mine.files.get(name) != base.files.get(name)}
        gone |= names_of(base.base, key) - named
    root = None
    if merged.takes_root:
        index = mine.base.index
        root = (index.root_version or 0, index.root_sha256 or "")
        new = [name for name in mine.files if name.startswith("trust/") and name not in base.files]
        files |= {name: mine.store.read(name, _LIMIT) for name in new}
    return Change(
        events=events,
        files=files,
        entries={key: entry for key, (entry, _) in states.items()},
        retired={key: retired for key, (_, retired) in states.items()},
        replaces=tuple(sorted(gone - set(files))),
        bases={},
        root=root,
    )


def names_of(base: Base, key: str) -> set[str]:
    """Return every file that a key's chain names in one version: records, sources, trigger examples."""
    entry: Pointer | Retired | None = base.pointer(key) or base.retired(key)
    if entry is None:
        return set()
    names: set[str] = set()
    for member in gather(base.store, entry, None).members:
        names.add(member.place)
        if member.source is not None:
            names.add(member.source.place)
    if isinstance(entry, Pointer) and entry.trigger_sha256:
        names.add(f"triggers/{key}.{entry.trigger_sha256[:12]}.json")
    return names


def _corrected(base: Version, mine: Version, theirs: Base, key: str, nonce: str) -> Change:
    """A person's own text wins: it becomes a correction of the others' version, which stays in the chain."""
    pointer, their_pointer = mine.base.pointer(key), theirs.pointer(key)
    if pointer is None or their_pointer is None:
        raise UsageError(
            f"`{key}` was retired or renamed on one side, so your version cannot simply follow theirs",
            help=f"`upheld resolve {key} --theirs`, sync, then make the change again",
        )
    chain = mine.base.chain(pointer)
    _, record = served(chain)
    if chain.current.source is None or chain.current.source.data is None:
        raise UsageError(f"your version of `{key}` cannot be read", help="`upheld verify` says what is wrong with it")
    draft = Draft(
        key=key,
        text=chain.current.source.data,
        because=record.change_reason or "",
        owner=record.owner,
        review_on=record.review_on,
        expires_on=record.expires_on,
        evidence=record.evidence,
        reviewed_by=record.reviewed_by,
        bound_source=record.bound_source,
    )
    change = plan_correct(draft, base_sha256=their_pointer.record_sha256, nonce=nonce)(theirs)
    return _with_trigger(change, base, mine, key)


def _with_trigger(change: Change, base: Version, mine: Version, key: str) -> Change:
    """Where the trigger was changed here, it goes along."""
    ours, before = state_of(mine.base, key)[0] or {}, state_of(base.base, key)[0] or {}
    names = ("read_when", "trigger", "trigger_sha256")
    moved = {name: ours.get(name) for name in names if ours.get(name) != before.get(name)}
    if not moved:
        return change
    entry = {**(change.entries[key] or {}), **moved}
    files = dict(change.files)
    for name in names_of(mine.base, key):
        if name.startswith("triggers/") and name not in base.files:
            files[name] = mine.store.read(name, _LIMIT)
    kept = {name: value for name, value in entry.items() if value is not None}
    return change.replace(files=files, entries={**change.entries, key: kept})


def _joined(one: Change, other: Change) -> Change:
    """Two changes of different keys as one."""
    return one.replace(
        events=(*one.events, *other.events),
        files={**one.files, **other.files},
        entries={**one.entries, **other.entries},
        retired={**one.retired, **other.retired},
        replaces=tuple(sorted({*one.replaces, *other.replaces})),
        bases={**one.bases, **other.bases},
    )


def _root(base: Version, mine: Version, theirs: Version) -> tuple[bool, tuple[KeyConflict, ...]]:
    before, ours, others = (version.base.index.root_sha256 for version in (base, mine, theirs))
    if ours in (before, others):
        return False, ()
    if others == before:
        return True, ()
    return False, (KeyConflict(key=ROOT_KEY, mine=ours or "", theirs=others or ""),)


def _conflict(key: str, mine: KeyState, theirs: KeyState) -> KeyConflict:
    return KeyConflict(key=key, mine=_digest(mine), theirs=_digest(theirs))


def _digest(state: KeyState) -> str:
    fields = state[0] or state[1] or {}
    return str(fields.get("record_sha256", ""))


def _linked(states: Mapping[str, KeyState]) -> list[list[str]]:
    """Group keys that one change moved together: a renamed key and the one that took over."""
    group = {key: [key] for key in states}
    for key, (_, retired) in states.items():
        other = str((retired or {}).get("renamed_to", ""))
        if other in group and group[other] is not group[key]:
            joined = group[key] + group[other]
            for member in joined:
                group[member] = joined
    unique = {id(keys): sorted(keys) for keys in group.values()}
    return sorted(unique.values())


def _digests(node: Node) -> frozenset[tuple[str, str]]:
    return frozenset((child.prefix, child.sha256) for child in (node.children or {}).values())


def _states(base: Base, node: Node, shared: frozenset[tuple[str, str]]) -> dict[str, KeyState]:
    if node.children is None:
        entries, retired = _keyed(node.entries), _keyed(node.retired)
        return {key: (entries.get(key), retired.get(key)) for key in {*entries, *retired}}
    states: dict[str, KeyState] = {}
    for child in node.children.values():
        if (child.prefix, child.sha256) not in shared:
            states |= _states(base, base.load(child), shared)
    return states


def _keyed(entries: tuple[object, ...]) -> dict[str, Mapping[str, object]]:
    return {key: entry for entry in entries if (key := key_of(entry)) is not None and isinstance(entry, dict)}
