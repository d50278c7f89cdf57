"""What the accepted trust root says about hooks that fail: the word only, or the word and a stop."""

from __future__ import annotations

import os

from upheld.compose.gate import writable_state
from upheld.compose.state import state_root
from upheld.errors import FaultError
from upheld.wire import strictjson
from upheld.wire.hook_policy import on_fault


def blocks_on_fault(path: str) -> bool:
    """Whether a prompt or a tool call must stop when memory could not be checked; False where nothing is pinned.

    Args:
        path: the store's folder; only the trusted state is read, and only what was accepted into it counts.
    """
    try:
        root = strictjson.parse(writable_state(state_root(os.environ), path).accepted().root, "trust")
    except FaultError:
        return False
    return on_fault(root.get("policy")) == "block"
