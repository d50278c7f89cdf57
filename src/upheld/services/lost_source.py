"""A source of the store's own that was edited or removed in place: what its old versions hang from afterwards.

The correction is a new file. The old bytes come back from history under a name of their own; where they are lost, the
old records are closed over a tombstone that says so. No file that the live index names is overwritten.
"""

from __future__ import annotations

from collections.abc import Mapping

from upheld.model.chain import Chain
from upheld.model.value import Value
from upheld.services.chains import Rewritten, rewritten, sharing
from upheld.services.versions import source_name
from upheld.wire.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Recover

_LOST = """# The text of this version is lost

Do not act on this version of `{key}`: its source was changed in place before {day}, and no copy of it was found.
"""


class Settled(Value):
    """The chain as it will stand below the correction, and the source files that it needs."""

    chain: Rewritten
    files: Mapping[str, bytes]
    is_lost: bool


def settled(chain: Chain, recover: Recover, today: str) -> Settled:
    """Give the old versions of a damaged current source something true to hang from; a sound chain stays as it is."""
    record, source = chain.current.record, chain.current.source
    if record is None or source is None or (source.fault is None and source.sha256 == record.source_sha256):
        return Settled(chain=rewritten(chain, {}), files={}, is_lost=False)
    data = recover(record.durable_source, record.source_sha256)
    is_lost = data is None or sha256_hex(data) != record.source_sha256
    if data is None or is_lost:
        data = _LOST.format(key=chain.key, day=today).encode()
        name = source_name(chain.key, sha256_hex(data))
        edit: dict[str, object] = {"source_sha256": sha256_hex(data), "tombstone": "lost"}
    else:
        name = f"sources/{chain.key}.{record.source_sha256[:12]}.kept.md"
        edit = {}
    edits = {record_id: {**edit, "durable_source": name} for record_id in sharing(chain.members, source.place)}
    return Settled(chain=rewritten(chain, edits), files={name: data}, is_lost=is_lost)
