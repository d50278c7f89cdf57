"""A proposal's bytes to a value, and back. Anybody may write such a file, so everything in it is bounded."""

from __future__ import annotations

from upheld.model.day import is_day
from upheld.model.proposal import KINDS, Asker, Endorsement, Flag, Proposal
from upheld.wire import strictjson
from upheld.wire.fields import Fields
from upheld.wire.instant import is_instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

FOLDER = "proposals"
MAX_BYTES = 512 * 1024
_MAX_TEXT = 256 * 1024
_MAX_WORDS = 8 * 1024
_MAX_LIST = 256
_TEXTS = ("because", "read_when", "volatility", "review_on", "expires_on", "owner", "base_sha256", "source")
_ASKER = ("client", "agent", "session", "channel", "words")
_ID = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def is_id(text: str) -> bool:
    """Whether a text can be the id of a proposal: 4 to 80 of a-z, 0-9 and -, first and last no hyphen."""
    return 4 <= len(text) <= 80 and set(text) <= _ID and not text.startswith("-") and not text.endswith("-")


def name_of(proposal_id: str) -> str:
    """Return the file of a proposal, relative to the store."""
    return f"{FOLDER}/{proposal_id}.json"


def decode(data: bytes, place: str) -> Proposal:
    """Read one proposal.

    Raises:
        FaultError: the first thing wrong with it: the form of a field, a bound, or a name that is not its id.
    """
    values = strictjson.parse(data, place, limit=MAX_BYTES)
    fields = Fields(values, place)
    texts = {name: _text(fields, name, _MAX_WORDS) for name in _TEXTS}
    made = Proposal(
        id=fields.text("id"),
        kind=fields.text("kind"),
        key=fields.text("key"),
        at=fields.text("at"),
        text=_text(fields, "text", _MAX_TEXT),
        fires=_strings(fields, "fires"),
        nots=_strings(fields, "nots"),
        asker=_asker(fields),
        flags=_objects(fields, "flags", lambda f: Flag(code=f.text("code"), field=_text(f, "field", _MAX_WORDS))),
        endorsements=_objects(fields, "endorsements", _endorsement),
        fields=values,
        **texts,
    )
    _check(fields, made)
    if fields.faults:
        raise fields.faults[0]
    return made


def encode(proposal: Proposal) -> bytes:
    """Write a proposal; fields that we do not know stay as they are, fields without a value are left out."""
    from json import dumps

    known: dict[str, object] = {
        "id": proposal.id,
        "kind": proposal.kind,
        "key": proposal.key,
        "at": proposal.at,
        "text": proposal.text,
        **{name: getattr(proposal, name) for name in _TEXTS},
        "fires": list(proposal.fires),
        "nots": list(proposal.nots),
        "asker": {name: getattr(proposal.asker, name) for name in _ASKER if getattr(proposal.asker, name)},
        "flags": [{"code": flag.code, "field": flag.field} for flag in proposal.flags],
        "endorsements": [{"client": e.client, "protocol": e.protocol, "at": e.at} for e in proposal.endorsements],
    }
    unknown = {name: value for name, value in (proposal.fields or {}).items() if name not in known}
    said = {name: value for name, value in known.items() if value}
    return (dumps({**said, **unknown}, indent=2, ensure_ascii=True) + "\n").encode("ascii")


def _check(fields: Fields, made: Proposal) -> None:
    if made.id and (not is_id(made.id) or fields.place != name_of(made.id)):
        fields.fault("FMT007", "id", "it is not the name of its file")
    if made.kind and made.kind not in KINDS:
        fields.fault("FMT007", "kind", f"one of {', '.join(KINDS)} is wanted")
    if made.at and not is_instant(made.at):
        fields.fault("FMT007", "at", "an instant is wanted, written YYYY-MM-DDThh:mm:ssZ")
    if made.base_sha256:
        fields.digest("base_sha256")
    for name in ("review_on", "expires_on"):
        if getattr(made, name) and not is_day(getattr(made, name)):
            fields.fault("DAT003", name, "a real day is wanted, written YYYY-MM-DD")
    if made.has_text and not made.text:
        fields.fault("FMT008", "text", "it is missing")


def _text(fields: Fields, name: str, limit: int) -> str:
    text = fields.optional_text(name) or ""
    if len(text) > limit:
        fields.fault("STO005", name, f"{len(text):,} characters, at most {limit:,} are read")
        return ""
    return text


def _strings(fields: Fields, name: str) -> tuple[str, ...]:
    listed = fields.array(name)
    if len(listed) > _MAX_LIST or any(type(text) is not str or len(text) > _MAX_WORDS for text in listed):
        fields.fault("FMT007", name, f"at most {_MAX_LIST} strings of at most {_MAX_WORDS:,} characters are wanted")
        return ()
    return tuple(text for text in listed if isinstance(text, str))


def _asker(fields: Fields) -> Asker:
    inner = Fields(fields.mapping("asker") or {}, fields.place, "asker")
    made = Asker(**{name: _text(inner, name, _MAX_WORDS) for name in _ASKER})
    fields.faults += inner.faults
    return made


def _objects(fields: Fields, name: str, read: Callable[[Fields], T]) -> tuple[T, ...]:
    listed = fields.array(name)
    if len(listed) > _MAX_LIST or any(not isinstance(one, dict) for one in listed):
        fields.fault("FMT007", name, f"at most {_MAX_LIST} objects are wanted")
        return ()
    cursors = [Fields(one, fields.place, f"{name}[{at}]") for at, one in enumerate(listed) if isinstance(one, dict)]
    made = tuple(read(cursor) for cursor in cursors)
    for cursor in cursors:
        fields.faults += cursor.faults
    return made


def _endorsement(fields: Fields) -> Endorsement:
    return Endorsement(client=fields.text("client"), protocol=fields.text("protocol"), at=fields.text("at"))
