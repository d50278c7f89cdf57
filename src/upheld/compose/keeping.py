"""Bind a store's history to this user's state folder, and its folder to the repository around it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from upheld.compose.state import state_root
from upheld.errors import StorageError, UpheldError
from upheld.ports.history import RecordingHistory
from upheld.services.snapshot import read_index
from upheld.stores.directory import DirectoryStore
from upheld.stores.directory_writer import LOCK
from upheld.stores.git_exclude import exclude
from upheld.stores.git_history import GitHistory
from upheld.stores.git_plumbing import Git, find_git
from upheld.stores.lock import locked
from upheld.stores.no_history import NoHistory
from upheld.stores.place import mark_of
from upheld.stores.state_directory import StateReader

KEPT_BY_READERS = 1_000
"""Keys up to which a reader records a version: it compares the whole folder."""


def git_of(path: str, environ: Mapping[str, str]) -> Git | None:
    """Return the bare repository of the place that a store's folder is; None where git is missing."""
    program = find_git(environ)
    if program is None:
        return None
    root = state_root(environ)
    return Git(os.path.join(root, "git", mark_of(StateReader(root, path).place)), program, environ)


def history_of(path: str) -> RecordingHistory:
    """Return the history of a store; one that keeps nothing, and says so once, where git is missing."""
    git = git_of(path, os.environ)
    if git is None:
        return NoHistory(os.path.join(state_root(os.environ), "no-git-said"))
    return GitHistory(git, lambda: DirectoryStore(path))


def keep_accepted(path: str, index_sha256: str) -> None:
    """Let history have the version that stands in a store's folder, unless a writer is at work, who will do so.

    A reader that is the first to accept a version calls this: its writer may have died between publishing and
    recording it, and what is accepted here must not be lost with the folder. Nothing is raised: the next commit
    records whatever is still missing. So it does for a large store too, which no reader may be kept waiting for.
    """
    git = git_of(path, os.environ)
    if git is None:
        return
    history = GitHistory(git, lambda: DirectoryStore(path))
    if history.noted() == index_sha256:
        return
    with contextlib.suppress(UpheldError, OSError), locked(os.path.join(path, LOCK), 0):
        with DirectoryStore(path) as store:
            is_small = sum(read_index(store)[1].node.counts) <= KEPT_BY_READERS
        if is_small:
            history.record_folder()


def keep_out_of_repository(path: str) -> str:
    """Name a store's folder in the exclude file of the repository around it; return what was done, for people."""
    git = git_of(path, os.environ)
    try:
        return exclude(git, path) if git is not None else ""
    except StorageError as error:
        return error.message
