"""Keys for the shell to complete. Their names only, and only such as we would write ourselves: nothing is verified."""

from __future__ import annotations

import click

from upheld.compose.library import open
from upheld.errors import UpheldError
from upheld.model.finding import Finding
from upheld.model.names import is_key

MAX_OFFERED = 200


def keys(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Return the keys of the store that begin like the word under the cursor; none where no store can be read."""
    found: list[str] = []
    try:
        with open(_store(context), unsealed=True).index() as listing:
            for line in listing.lines():
                if not isinstance(line, Finding) and line.key.startswith(begun) and is_key(line.key):
                    found.append(line.key)
                if len(found) == MAX_OFFERED:
                    break
    except UpheldError:
        return []
    return found


def _store(context: click.Context | None) -> str | None:
    while context is not None:
        named = context.params.get("store")
        if isinstance(named, str):
            return named
        context = context.parent
    return None
