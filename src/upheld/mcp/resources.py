"""The resources: the index, and the text of each key. What a tool would serve, and refused where it would refuse."""

from __future__ import annotations

from urllib.parse import unquote

from upheld.errors import UpheldError
from upheld.mcp.catalog import INDEX_URI, KEY_URI
from upheld.mcp.index_tool import MOST, listed
from upheld.mcp.recall_tool import recalled
from upheld.model.page import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.mcp.desk import Desk
    from upheld.mcp.said import Said

MOST_COMPLETED = 100


def read(desk: Desk, uri: str) -> Said | None:
    """Read one resource; None where no resource can have this address."""
    if uri == INDEX_URI:
        return desk.attempt(lambda: listed(desk.open(), MOST))
    key = unquote(uri.removeprefix(KEY_URI)) if uri.startswith(KEY_URI) else ""
    if not key or len(key) > 200:
        return None
    said = desk.attempt(lambda: recalled(desk, key))
    return None if said.fields.get("code") == "PTR001" else said


def completions(desk: Desk, start: str) -> tuple[list[str], int]:
    """Return keys that begin with ``start``, sorted, at most a hundred, and how many there are; none where refused."""
    try:
        with desk.open().index() as listing:
            keys = sorted(
                line.key
                for line in listing.lines()
                if isinstance(line, Line) and not line.is_broken and line.key.startswith(start)
            )
    except UpheldError:
        return [], 0
    return keys[:MOST_COMPLETED], len(keys)
