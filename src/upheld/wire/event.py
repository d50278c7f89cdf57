"""Log events: one a file, each naming the digest of the one before (DESIGN section 3, "Log")."""

from __future__ import annotations

from upheld.model.change import Event
from upheld.model.value import Value
from upheld.wire import strictjson
from upheld.wire.digest import sha256_hex
from upheld.wire.fields import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES = 16 * 1024


class Logged(Value):
    """One event as it stands in the log.

    Attributes:
        number: 1 for the first event of the store; equal to the version that it made.
        at: the instant, UTC, ``YYYY-MM-DDThh:mm:ssZ``. by: who, as far as the writer knew.
        previous: digest of the event before; None for the first.
        sha256: digest of this event's own bytes.
    """

    number: int
    event: Event
    at: str
    by: str
    previous: str | None
    sha256: str


def name_of(number: int) -> str:
    """Return the file of an event."""
    return f"log/{number:06d}.json"


def encode(number: int, event: Event, *, at: str, by: str, previous: str | None) -> bytes:
    """Write one event. No free text goes in: the reason of a change stands in its record, where it can be redacted."""
    from json import dumps

    fields = {
        "number": number,
        "verb": event.verb,
        "key": event.key,
        "before": event.before,
        "after": event.after,
        "at": at,
        "by": by,
        "previous": previous,
    }
    return (dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def decode(data: bytes, place: str) -> Logged:
    """Read one event.

    Raises:
        FaultError: the first thing wrong with it.
    """
    values: Mapping[str, object] = strictjson.parse(data, place, limit=MAX_BYTES)
    fields = Fields(values, place)
    made = Logged(
        number=fields.count("number"),
        event=Event(
            verb=fields.text("verb"),
            key=fields.optional_text("key") or "",
            before=fields.optional_digest("before"),
            after=fields.optional_digest("after"),
        ),
        at=fields.text("at"),
        by=fields.optional_text("by") or "",
        previous=fields.optional_digest("previous"),
        sha256=sha256_hex(data),
    )
    if fields.faults:
        raise fields.faults[0]
    return made
