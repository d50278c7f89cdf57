"""Bind the screen to a store's policy, this user's memory of texts, what is derived from the store, and a clock."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from upheld.compose.accepted import accepted_root
from upheld.compose.routes import would_fire_at
from upheld.compose.state import state_root
from upheld.errors import FaultError
from upheld.model.draft import CurrentInstruction, ScreenPolicy
from upheld.services.admission import Gate
from upheld.services.base import Base
from upheld.services.current_instructions import MAX_COMPARED, Wanted, surroundings
from upheld.services.near import catch_up
from upheld.services.screening import NEAR_SECONDS, Judge
from upheld.stores.near_file import NearFile, near_file
from upheld.stores.state_directory import StateReader
from upheld.stores.text_memory import TextMemory
from upheld.wire import screen_policy


@contextmanager
def judging(gate: Gate, base: Base) -> Iterator[Judge]:
    """Open what judges the texts of one store.

    Args:
        gate: the gate of the place.
        base: the admitted version; the route index is asked only if it was built for exactly this one.

    Raises:
        FaultError: the policy or the memory of texts is malformed or cannot be trusted; then nothing is judged, and so
            nothing is written.
    """
    with closing(near_at(gate.state.place)) as near:
        yield Judge(
            now=time.monotonic,
            policy=policy_of(gate),
            remembered=texts_of(gate).load(),
            would_fire=would_fire_at(gate.state.place, base.index.node.sha256),
            near=near,
        )


def near_at(place: str) -> NearFile:
    """Return this user's near index of one place; nothing is opened before it is asked."""
    return NearFile(near_file(state_root(os.environ), place))


def build_near(base: Base, path: str) -> None:
    """Read everything into the near index that it does not know yet. A store that is compared with whole needs none.

    Raises:
        StorageError: it cannot be written.
    """
    if base.index.node.counts[0] > MAX_COMPARED:
        with closing(near_at(StateReader(state_root(os.environ), path).place)) as near:
            catch_up(base, near, lambda: False)


def neighbours(base: Base, path: str, key: str, text: str) -> tuple[CurrentInstruction, ...]:
    """Return the instructions that may be like a text, read and verified."""
    late = time.monotonic() + NEAR_SECONDS
    with closing(near_at(StateReader(state_root(os.environ), path).place)) as near:
        wanted = Wanted(key=key, texts=(text,))
        return surroundings(base, wanted, near, lambda: time.monotonic() > late).instructions


def policy_of(gate: Gate) -> ScreenPolicy:
    """Return what the accepted trust root says about the screen; the default where it says nothing or there is none."""
    state = gate.state.load()
    if state is None or not state.is_pinned:
        return ScreenPolicy()
    said = dict(accepted_root(gate).policy.unknown).get("screen")
    if said is None:
        return ScreenPolicy()
    if not isinstance(said, dict):
        raise FaultError("FMT007", "trust", path="policy.screen", detail="an object is wanted")
    return screen_policy.decode(said, "trust")


def texts_of(gate: Gate) -> TextMemory:
    """Return this user's memory of texts for one place."""
    return TextMemory(state_root(os.environ), gate.state.place)
