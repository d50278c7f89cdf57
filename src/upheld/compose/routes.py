"""Build the route index of a place: by whoever writes or syncs, and by ``upheld triggers build``; never by a reader.

A commit tells the index of the keys that it changed, whatever the size of the store. Where the index is of another
version (a process died before it could tell), all rules of the store are compared with it, and it is told what differs.
"""

from __future__ import annotations

import contextlib
import os

from upheld.compose.clock import today
from upheld.compose.state import state_root
from upheld.errors import FaultError, NoStoreError, RefusedError, StorageError
from upheld.model.change import Committed
from upheld.model.finding import Finding
from upheld.model.route import Rule
from upheld.model.value import Value
from upheld.routing import head as heads
from upheld.routing.calibrate import Calibration, calibrate
from upheld.routing.fired import firing
from upheld.routing.form import IndexUnreadableError
from upheld.routing.grow import Grown, differing, grow, tuned, untuned, whole
from upheld.routing.index import Index as RouteIndex
from upheld.services.base import Base
from upheld.services.every_rule import every_rule
from upheld.services.rules import rule_of
from upheld.services.snapshot import read_index
from upheld.stores.directory import DirectoryStore
from upheld.stores.route_file import opened, route_file, shipped_lexicon
from upheld.stores.route_writer import put, writing
from upheld.stores.state_directory import StateReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_AT_COMMIT = 10_000
"""Statements that a commit or a sync works out at most: a few seconds. Where there are more, it is done by name."""

CALIBRATED_AT_COMMIT = 600
"""Statements up to which a commit chooses the limit anew; in a larger store that is done by name."""

DRIFT = 0.2
"""Share of the statements that may have come or gone since the limit was chosen. Beyond it, the limit is chosen anew or
taken away."""


class BuiltRoutes(Value):
    """What a build came to.

    Attributes:
        file: where the route index lies.
        pointers: rules in it; statements: sentences and examples; size: bytes.
        limit: the probability from which a text alone matches; ``UNCALIBRATED`` for none.
        calibration: how the limit was chosen; None where an earlier one was taken over.
        findings: pointers that could not be read, and triggers that never fire.
    """

    file: str
    pointers: int
    statements: int
    size: int
    limit: float
    calibration: Calibration | None
    findings: tuple[Finding, ...]


def build_for(base: Base, path: str, *, wanted: float | None = None, most: int | None = None) -> BuiltRoutes:
    """Build the route index for one admitted version of the store in ``path``, whole, and put it in place.

    Args:
        base: the version.
        path: the store's folder.
        wanted: the share of wrong loads to calibrate for; None takes an earlier limit over where it still fits.
        most: statements beyond which nothing is built.

    Raises:
        StorageError: the store is larger than ``most``, or the file cannot be written.
    """
    file = file_of(path)
    if most is not None:
        old = opened(file)
        new = base.index.node.counts[0] - (old.statements if isinstance(old, RouteIndex) else 0)
        if new > most:
            raise _too_much(new)  # every pointer has a statement: nothing need be read to know
    rules, findings = every_rule(base)
    statements = count_statements(rules)
    with writing(file):
        old = opened(file)
        grown = _known(old, rules, base, wanted, most)
        grown, calibration = _limited(grown, rules, wanted)
        _put(file, grown)
    return BuiltRoutes(
        file=file,
        pointers=len(rules),
        statements=statements,
        size=sum(part.length for part in grown.head.parts),
        limit=grown.head.limit,
        calibration=calibration,
        findings=findings,
    )


def _known(old: object, rules: tuple[Rule, ...], base: Base, wanted: float | None, most: int | None) -> Grown:
    """What differs from the old index is told to it; without one, or by name, all is built."""
    digest = bytes.fromhex(base.index.node.sha256)
    if wanted is None and isinstance(old, RouteIndex):
        with contextlib.suppress(IndexUnreadableError, IndexError, ValueError):
            changed = differing(old, rules)
            told = count_statements(tuple(rule for rule in changed.values() if rule is not None))
            if most is None or told <= most:
                return grow(old, changed, digest=digest)
    statements = count_statements(rules)
    if most is not None and statements > most:
        raise _too_much(statements)
    return whole(rules, shipped_lexicon(), digest=digest)


def _too_much(statements: int) -> StorageError:
    return StorageError(f"its route index is not built: {statements:,} statements; run `upheld triggers build`")


def file_of(path: str) -> str:
    """Return where the head of the route index of a place lies."""
    root = state_root(os.environ)
    return route_file(root, StateReader(root, path).place)


def count_statements(rules: tuple[Rule, ...]) -> int:
    """How many sentences and examples there are to build from."""
    return sum(1 + len(rule.fires) + len(rule.nots) for rule in rules)


def _limited(grown: Grown, rules: tuple[Rule, ...], wanted: float | None) -> tuple[Grown, Calibration | None]:
    """Keep the limit while it fits, else choose it anew, else take it away."""
    if wanted is None and _still_fits(grown.head):
        return grown, None
    statements = count_statements(rules)
    if wanted is None and statements > CALIBRATED_AT_COMMIT:
        return untuned(grown), None
    chosen = calibrate(rules, wanted=wanted or 0.01, lexicon=shipped_lexicon())
    return tuned(grown, chosen.limit, statements), chosen


def _still_fits(head: heads.Head) -> bool:
    return head.tuned > 0 and head.changed <= DRIFT * head.tuned


def kept_limit(file: str) -> tuple[float, int] | None:
    """Return the limit in a route index of any version, and how many statements it was chosen for."""
    found = opened(file)
    return (found.limit, found.tuned) if isinstance(found, RouteIndex) else None


def _put(file: str, grown: Grown) -> None:
    named = frozenset(part.name.hex() for part in grown.head.parts if part.data is None)
    put(file, heads.encode(grown.head), grown.files, named)


def follow(base: Base, path: str, keys: tuple[str, ...], before: str | None) -> None:
    """Tell the route index of a place what one commit changed.

    Args:
        base: the version that was committed.
        path: the store's folder.
        keys: the keys that it changed.
        before: the digest of the index that it replaced.

    Raises:
        StorageError: the index is of another version, and there is too much to be told; or it cannot be written.
    """
    file = file_of(path)
    with writing(file):
        old = opened(file, bytes.fromhex(before or ""))
        grown = _told(old, base, keys) if isinstance(old, RouteIndex) else None
        if grown is not None:
            _put(file, grown)
    if grown is None:
        build_for(base, path, most=MOST_AT_COMMIT)


def _told(old: RouteIndex, base: Base, keys: tuple[str, ...]) -> Grown | None:
    """The index with a few keys changed; None where the whole store must be looked at."""
    changed = {key: rule_of(base.store, pointer) if (pointer := base.pointer(key)) else None for key in keys}
    try:
        grown = grow(old, changed, digest=bytes.fromhex(base.index.node.sha256))
    except (IndexUnreadableError, IndexError, ValueError):
        return None
    if _still_fits(grown.head):
        return grown
    statements = old.statements + count_statements(tuple(rule for rule in changed.values() if rule is not None))
    return None if statements <= CALIBRATED_AT_COMMIT else untuned(grown)


def would_fire_at(place: str, sha256: str) -> Callable[[str], tuple[str, ...] | None] | None:
    """Return what says which keys a task fires at a place, None where the route index is damaged.

    None in its stead where no route index of this very version is there.
    """
    found = opened(route_file(state_root(os.environ), place), bytes.fromhex(sha256))
    return firing(found) if isinstance(found, RouteIndex) else None


def after_sync(path: str) -> None:
    """Build the route index of what a sync left in the folder. Where it cannot be, `route` says so: unchecked."""
    with contextlib.suppress(FaultError, NoStoreError, RefusedError, StorageError), DirectoryStore(path) as store:
        build_for(Base(store, read_index(store)[1], today()), path, most=MOST_AT_COMMIT)


def after_commit(path: str) -> Callable[[Committed], None]:
    """Return what tells the route index of a commit; the commit stands whatever becomes of it."""

    def hear(done: Committed) -> None:
        with DirectoryStore(path) as store:
            data, index = read_index(store)
            if data == done.index:  # else another writer is on, and tells it
                follow(Base(store, index, today()), path, done.keys, done.base_sha256)

    return hear
