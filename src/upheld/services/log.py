"""log show and log verify: every event of the store, and whether the chain from the first to the sealed head holds."""

from __future__ import annotations

from upheld.errors import BusyError
from upheld.model.answer import Refusal
from upheld.model.finding import worst_first
from upheld.model.log_view import LogLine, LogView
from upheld.services.read_log import LogRead, read_log
from upheld.services.snapshot import Admission, read_index
from upheld.wire import index as wire_index
from upheld.wire.event import Logged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.index import Index
    from upheld.ports.store import ReadableStore
    from upheld.services.recall import Admit

ATTEMPTS = 5


def log(store: ReadableStore, *, today: str, admit: Admit, key: str | None = None, limit: int | None = None) -> LogView:
    """Read the whole log and show a part of it.

    Args:
        store: the store.
        today: the day, for a refusal.
        admit: decides whether the index may be used, which names the log's head.
        key: only the events of this key; None for all.
        limit: how many to show, newest first; None for all. What is not shown is checked all the same.

    Raises:
        FaultError: the index cannot be read.
        RefusedError: the index must not be used.
        BusyError: the store kept changing.
    """
    for _ in range(ATTEMPTS):
        data, index = read_index(store)
        admission = admit(data, index)
        if admission.refusals:
            Refusal(key="", findings=worst_first(admission.refusals), as_of=today).require()
        read = read_log(store, index)
        # A fault may only be a commit in flight: it counts if the index is still the one it was found under.
        if not read.findings or store.read(wire_index.PLACE, wire_index.MAX_BYTES) == data:
            return _view(index, admission, read, key, limit)
    raise BusyError("the store kept changing while it was read", help="try again in a moment")


def _view(index: Index, admission: Admission, read: LogRead, key: str | None, limit: int | None) -> LogView:
    chosen = [line_of(logged) for logged in read.events if key is None or logged.event.key == key]
    is_whole = admission.sealed and not read.missing and bool(read.events)
    log_missing = ("log: the store keeps none",) if index.version is None else ()
    return LogView(
        outcome="failed" if read.findings else "verified" if is_whole else "unverified",
        lines=tuple(chosen[:limit]),
        total=len(read.events),
        version=index.version,
        sealed=admission.sealed,
        findings=worst_first(read.findings),
        not_checked=admission.not_checked + read.not_checked + log_missing,
    )


def line_of(logged: Logged) -> LogLine:
    """Return one event as it is shown."""
    event = logged.event
    return LogLine(
        number=logged.number,
        at=logged.at,
        by=logged.by,
        verb=event.verb,
        key=event.key,
        before=event.before,
        after=event.after,
        sha256=logged.sha256,
    )
