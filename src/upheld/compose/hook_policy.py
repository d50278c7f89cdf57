"""What the accepted trust root says about hooks that fail: the word only, or the word and a stop."""

from __future__ import annotations

import os

from upheld.compose.gate import writable_state
from upheld.compose.state import state_root
from upheld.errors import FaultError, NoStoreError
from upheld.services.snapshot import read_index
from upheld.stores.directory import DirectoryStore
from upheld.wire import strictjson
from upheld.wire.hook_policy import on_fault


def blocks_on_fault(path: str) -> bool:
    """Whether a prompt or a tool call must stop when memory could not be checked; False where nothing is pinned.

    What was accepted into the trusted state counts, and nothing else, as long as it can be read. Where it is damaged,
    the store's own word is enough to stop, though nobody vouches for it then: damage must not let through what a person
    had chosen to stop.

    Args:
        path: the store's folder.
    """
    state = writable_state(state_root(os.environ), path)
    try:
        found = state.load()
        if found is None or found.head is None:
            return False
        root = state.accepted().root
    except FaultError:
        root = _own_root(path)
    try:
        return on_fault(strictjson.parse(root, "trust").get("policy")) == "block"
    except FaultError:
        return False


def _own_root(path: str) -> bytes:
    try:
        with DirectoryStore(path) as store:
            version = read_index(store)[1].root_version
            return store.read(f"trust/{version}.json", strictjson.MAX_BYTES)
    except (FaultError, NoStoreError):
        return b""
