"""The versions of a store that history holds, for people and for machines."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.render.escape import escape
from upheld.render.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Kept


def rendered(versions: tuple[Kept, ...], form: str) -> str:
    """Render the list, newest first.

    Raises:
        UsageError: the format has nothing to say about it.
    """
    if form == "json":
        return dumps({"versions": [_plain(kept) for kept in versions]}) + "\n"
    if form not in ("text", "concise"):
        raise UsageError(f"--format {form} shows faults, and this command shows versions", help="try --format json")
    if not versions:
        return "nothing is kept of this store on this machine yet; the next commit is\n"
    return "".join(f"{_number(kept):>7}  {escape(kept.at):<20}  {escape(kept.what)}\n" for kept in versions)


def _number(kept: Kept) -> str:
    return "-" if kept.version is None else str(kept.version)


def _plain(kept: Kept) -> dict[str, object]:
    return {
        "version": kept.version,
        "index_sha256": kept.index_sha256,
        "at": kept.at,
        "what": kept.what,
        "commit": kept.id,
    }
