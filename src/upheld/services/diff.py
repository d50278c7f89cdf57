"""diff: what changed between two versions of a key, text and metadata."""

from __future__ import annotations

from upheld.checks import check_chain
from upheld.errors import UsageError
from upheld.model.record import Record
from upheld.model.reports import Comparison, Side
from upheld.services.base import Base, is_reviewable
from upheld.services.chains import find_version, number_of, records, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.chain import Chain
    from upheld.ports.history import Recover

_SHOWN = (
    "recorded_on",
    "last_verified",
    "review_on",
    "expires_on",
    "owner",
    "reviewed_by",
    "evidence",
    "change_reason",
)


def diff(base: Base, key: str, old: str | None, new: str | None, recover: Recover) -> Comparison:
    """Compare two versions of a current or a retired key; without any, the last two; with one, that and the newest.

    Raises:
        UsageError: an unknown key or version, or a key with one version only.
        RefusedError: the chain is damaged.
    """
    entry = base.pointer(key) or base.retired(key)
    if entry is None:
        raise base.unknown(key)
    chain = base.chain(entry)
    base.refuse(key, [f for f in check_chain(chain, base.today) if not is_reviewable(f, chain)])
    versions = records(chain)
    if old is None and len(versions) < 2:
        raise UsageError(f"`{key}` has one version", help=f"see it with `upheld recall {key}`")
    one = find_version(chain, old) if old is not None else versions[1]
    other = find_version(chain, new) if new is not None else versions[0]
    return Comparison(key=key, old=_side(base, chain, one, recover), new=_side(base, chain, other, recover))


def _side(base: Base, chain: Chain, record: Record, recover: Recover) -> Side:
    data = text_of(base.store, record, recover)
    details = tuple((name, str(record.fields[name])) for name in _SHOWN if record.fields.get(name) is not None)
    return Side(
        number=number_of(chain, record.id),
        record_id=record.id,
        record_sha256=record.sha256,
        text=None if data is None else data.decode("utf-8", "backslashreplace"),
        details=details,
    )
