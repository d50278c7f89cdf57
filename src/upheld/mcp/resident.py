"""The semantic router of this process: one for all calls, made at the first route, where the extra is installed.

Fitting goes on beside the calls. Until it is done, and whenever it cannot be, the core layer answers and the reason
stands in the answer's ``why`` and in ``status``.
"""

from __future__ import annotations

from threading import Lock

from upheld.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.semantic import SemanticRouter

_LOCK = Lock()
_KEPT: list[SemanticRouter | None] = []


def resident() -> SemanticRouter | None:
    """Return the router of this process; None where the extra is not installed."""
    from upheld.compose.semantic import SemanticRouter

    with _LOCK:
        if not _KEPT:
            try:
                _KEPT.append(SemanticRouter.of_this_machine(waits=False))
            except UsageError:
                _KEPT.append(None)
        return _KEPT[0]


def said() -> str:
    """What ``status`` says of the semantic layer."""
    from upheld.compose.semantic import HELP, missing

    kept = _KEPT[0] if _KEPT else None
    if kept is not None:
        return kept.said()
    lacking = missing()
    return f"not installed: no {', '.join(lacking)}; {HELP}" if lacking else "not used yet"
