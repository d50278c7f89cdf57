"""Bind the screen to a store's policy, this user's memory of texts, and a clock."""

from __future__ import annotations

import os
import time

from upheld.compose.sealing import accepted_root
from upheld.compose.state import state_root
from upheld.errors import FaultError
from upheld.model.draft import ScreenPolicy
from upheld.services.admission import Gate
from upheld.services.screening import Judge
from upheld.stores.text_memory import TextMemory
from upheld.wire import screen_policy


def judge_for(gate: Gate) -> Judge:
    """Return what judges the texts of one store.

    Raises:
        FaultError: the policy or the memory of texts is malformed or cannot be trusted; then nothing is judged, and so
            nothing is written.
    """
    return Judge(now=time.monotonic, policy=policy_of(gate), remembered=texts_of(gate).load())


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
