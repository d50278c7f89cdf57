"""Build the route index of a place: by whoever writes or syncs, and by ``upheld triggers build``; never by a reader."""

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
from upheld.routing.build import build
from upheld.routing.calibrate import Calibration, calibrate
from upheld.routing.fired import firing
from upheld.routing.form import UNCALIBRATED
from upheld.routing.index import Index as RouteIndex
from upheld.routing.router import open_index
from upheld.services.base import Base
from upheld.services.every_rule import every_rule
from upheld.services.snapshot import read_index
from upheld.stores.directory import DirectoryStore
from upheld.stores.route_file import mapped, route_file
from upheld.stores.state_directory import StateReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_AT_COMMIT = 10_000
"""Statements up to which a commit builds the route index itself: a few seconds. A larger store is built by name."""

CALIBRATED_AT_COMMIT = 1_000
"""Statements up to which a build calibrates anew; beyond, it takes the last limit over while it still fits."""

_DRIFT = 0.1
"""Share by which the number of statements may have changed since the limit was chosen."""


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
    """Build the route index for one admitted version of the store in ``path``, and put it in place.

    Args:
        base: the version.
        path: the store's folder.
        wanted: the share of wrong loads to calibrate for; None takes an earlier limit over where it still fits.
        most: statements beyond which nothing is built.

    Raises:
        StorageError: the store is larger than ``most``, or the file cannot be written.
    """
    rules, findings = every_rule(base)
    statements = count_statements(rules)
    if most is not None and statements > most:
        raise StorageError(f"its route index is not built: {statements:,} statements; run `upheld triggers build`")
    root = state_root(os.environ)
    file = route_file(root, StateReader(root, path).place)
    limit, tuned, calibration = _limit(rules, statements, file, wanted)
    raw = build(rules, digest=bytes.fromhex(base.index.node.sha256), limit=limit, tuned=tuned)
    _put(file, raw)
    return BuiltRoutes(
        file=file,
        pointers=len(rules),
        statements=statements,
        size=len(raw),
        limit=limit,
        calibration=calibration,
        findings=findings,
    )


def count_statements(rules: tuple[Rule, ...]) -> int:
    """How many sentences and examples there are to build from."""
    return sum(1 + len(rule.fires) + len(rule.nots) for rule in rules)


def _limit(
    rules: tuple[Rule, ...], statements: int, file: str, wanted: float | None
) -> tuple[float, int, Calibration | None]:
    if wanted is None and statements > CALIBRATED_AT_COMMIT:
        old = kept_limit(file)
        if old is not None and abs(old[1] - statements) <= _DRIFT * old[1]:
            return old[0], old[1], None
        return UNCALIBRATED, 0, None
    calibration = calibrate(rules, wanted=wanted or 0.01)
    return calibration.limit, statements, calibration


def kept_limit(file: str) -> tuple[float, int] | None:
    """Return the limit in a route index of any version, and how many statements it was chosen for."""
    raw = mapped(file)
    opened = None if raw is None else open_index(raw, whole=False)
    return (opened.limit, opened.tuned) if isinstance(opened, RouteIndex) else None


def _put(file: str, raw: bytes) -> None:
    from upheld.stores.state_writer import write_private

    try:
        os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
        write_private(file, raw)
    except OSError as error:
        raise StorageError(f"the route index cannot be written: {os.strerror(error.errno or 0)}") from None


def would_fire_at(place: str, sha256: str) -> Callable[[str], tuple[str, ...]] | None:
    """Return what says which keys a task fires at a place; None where no route index of this very version is there."""
    raw = mapped(route_file(state_root(os.environ), place))
    opened = None if raw is None else open_index(raw, digest=bytes.fromhex(sha256), whole=False)
    return firing(opened) if isinstance(opened, RouteIndex) else None


def after_sync(path: str) -> None:
    """Build the route index of what a sync left in the folder. Where it cannot be, `route` says so: unchecked."""
    with contextlib.suppress(FaultError, NoStoreError, RefusedError, StorageError), DirectoryStore(path) as store:
        build_for(Base(store, read_index(store)[1], today()), path, most=MOST_AT_COMMIT)


def after_commit(path: str) -> Callable[[Committed], None]:
    """Return what builds the route index after a commit; the commit stands whatever becomes of it."""

    def hear(done: Committed) -> None:
        with DirectoryStore(path) as store:
            data, index = read_index(store)
            if data == done.index:  # else another writer is on, and builds it
                build_for(Base(store, index, today()), path, most=MOST_AT_COMMIT)

    return hear
