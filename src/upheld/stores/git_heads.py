"""What is remembered of a place that nobody pinned: the published version, as a ref. Our own is what the folder holds.

This is for stores that are read with ``--unsealed``. A pinned place keeps both in the trusted state.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.trusted import Head
from upheld.ports.history import WholeVersion
from upheld.ports.store import ReadableStore
from upheld.ports.team import Heads
from upheld.stores.git_commit import set_ref, tip
from upheld.stores.git_plumbing import Git
from upheld.stores.git_store import GitVersion
from upheld.wire import index as wire

PUBLISHED = "refs/upheld/published"


class GitHeads:
    """The published version of an unpinned store."""

    def __init__(self, git: Git) -> None:
        self._git = git

    def published(self) -> Head | None:
        """Return the published version. See ``Heads.published``."""
        commit_id = tip(self._git, PUBLISHED)
        if commit_id is None:
            return None
        try:
            with GitVersion(self._git, commit_id) as version:
                index = wire.decode(version.read(wire.PLACE, wire.MAX_BYTES))
        except FaultError:
            return None
        return Head(root_version=index.root_version or 0, version=index.version or 0, sha256=index.node.sha256)

    def head(self) -> Head | None:
        """Return nothing: the folder is all there is to go by. See ``Heads.head``."""
        return None

    def set_published(self, version: WholeVersion, head: Head) -> None:
        """Remember a published version. See ``Heads.set_published``."""
        if isinstance(version, GitVersion) and version.commit_id is not None:
            set_ref(self._git, PUBLISHED, version.commit_id, tip(self._git, PUBLISHED))

    def set_head(self, version: WholeVersion, head: Head) -> None:
        """Remember nothing. See ``Heads.set_head``."""

    def give_up(self, version: ReadableStore, number: int) -> None:
        """Remember nothing. See ``Heads.give_up``."""


_: type[Heads] = GitHeads
