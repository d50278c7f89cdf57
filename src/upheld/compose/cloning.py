"""A fresh clone: what the first ``sync --pull`` fetched is pinned, and then put into the folder."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from upheld.compose.absent import is_gone
from upheld.compose.gate import gate_for
from upheld.compose.keeping import git_of, keep_out_of_repository
from upheld.compose.teams import Sharing, team_of
from upheld.errors import StorageError
from upheld.model.draft_state import Synced
from upheld.services.admission import Gate
from upheld.services.pull import install_fetched
from upheld.stores.directory import DirectoryStore
from upheld.stores.git_commit import tip
from upheld.stores.git_history import REF, GitHistory
from upheld.stores.git_remote import FETCHED
from upheld.stores.git_store import GitVersion
from upheld.stores.no_history import NOTE


@contextlib.contextmanager
def fetched_gate(path: str) -> Iterator[Gate | None]:
    """Give the gate of what was fetched or kept for a place without a folder; None where there is nothing of it.

    Where a store is pinned and its folder is gone, that is for `doctor` and `sync --pull`.
    """
    git = None if os.path.isdir(path) or is_gone(path) else git_of(path, os.environ)
    found = (tip(git, FETCHED) or tip(git, REF)) if git is not None and git.exists else None
    if git is None or found is None:
        yield None
        return
    with GitVersion(git, found) as version:
        yield gate_for(version, path)


def keep(path: str) -> str:
    """Record a store that was just pinned in this user's history, so that it comes back if its folder goes.

    The folder is kept out of the commits of the repository around it, as every store here is.

    Returns:
        What was done, or why nothing is kept, for people.
    """
    git = git_of(path, os.environ)
    if git is None:
        return NOTE
    history = GitHistory(git, lambda: DirectoryStore(path))
    try:
        history.record_folder()
    except StorageError as error:
        return error.message
    finally:
        history.close()
    return keep_out_of_repository(path)


def fill(path: str) -> Synced | None:
    """Put what was fetched before it was pinned into the folder; None where nothing was. The network is not asked.

    Raises:
        RefusedError: it does not verify.
        StorageError: the disk failed.
    """
    git = git_of(path, os.environ)
    found = tip(git, FETCHED) if git is not None and git.exists else None
    if git is None or found is None:
        return None
    with GitVersion(git, found) as version, team_of(Sharing(path=path)) as team:
        return install_fetched(team, version)
