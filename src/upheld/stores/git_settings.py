"""Where a store is shared, as it was remembered when it was first synced. It never comes from the work tree after that.

The repository that it stands in belongs to one place, and so does this.
"""

from __future__ import annotations

import os

from upheld.errors import FaultError, StorageError
from upheld.model.draft_state import Choice, KeyConflict
from upheld.model.value import Value
from upheld.stores.state_directory import read_private
from upheld.stores.state_writer import write_private
from upheld.wire import strictjson
from upheld.wire.fields import Fields
from upheld.wire.trie import encode

_FILE = "upheld-remote.json"
_CHOICES = "upheld-choices.json"
_LIMIT = 256 * 1024


class Settings(Value):
    """The remote's URL and the branch of this store there."""

    remote: str
    branch: str


def read_settings(repository: str) -> Settings | None:
    """Return what was remembered; None where nothing was."""
    fields = _fields(repository, _FILE)
    if fields is None:
        return None
    return Settings(remote=fields.text("remote"), branch=fields.text("branch")) if not fields.faults else None


def write_settings(repository: str, settings: Settings) -> None:
    """Remember a remote.

    Raises:
        StorageError: it cannot be written.
    """
    _write(repository, _FILE, {"remote": settings.remote, "branch": settings.branch})


def read_choices(repository: str) -> tuple[Choice, ...]:
    """Return what a person decided about conflicts that are not published yet."""
    fields = _fields(repository, _CHOICES)
    rows = fields.array("choices") if fields is not None else ()
    made = []
    for row in rows:
        if isinstance(row, dict) and all(isinstance(row.get(name), str) for name in ("key", "mine", "theirs", "side")):
            conflict = KeyConflict(key=str(row["key"]), mine=str(row["mine"]), theirs=str(row["theirs"]))
            made.append(Choice(conflict=conflict, side=str(row["side"])))
    return tuple(made)


def write_choices(repository: str, choices: tuple[Choice, ...]) -> None:
    """Remember decisions; none clears them.

    Raises:
        StorageError: they cannot be written.
    """
    rows = [
        {"key": c.conflict.key, "mine": c.conflict.mine, "theirs": c.conflict.theirs, "side": c.side} for c in choices
    ]
    _write(repository, _CHOICES, {"choices": rows})


def _fields(repository: str, name: str) -> Fields | None:
    path = os.path.join(repository, name)
    try:
        data = read_private(path, _LIMIT)
        return Fields(strictjson.parse(data, path, limit=_LIMIT), path) if data is not None else None
    except FaultError:
        return None


def _write(repository: str, name: str, fields: dict[str, object]) -> None:
    try:
        write_private(os.path.join(repository, name), encode(fields))
    except OSError as error:
        raise StorageError(f"{name} cannot be written: {os.strerror(error.errno or 0)}") from None
