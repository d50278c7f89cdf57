"""People who share one store over a bare repository on this disk, each with a folder and a repository of their own."""

from __future__ import annotations

import itertools
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from upheld.model.answer import Answer
from upheld.model.change import Change, Committed
from upheld.model.draft_state import Choice, Synced
from upheld.model.index import Index
from upheld.services.base import Base
from upheld.services.commit import Writer, commit
from upheld.services.correct import plan_correct
from upheld.services.init import init
from upheld.services.pull import drop_drafts, pull
from upheld.services.recall import recall
from upheld.services.remember import plan_remember
from upheld.services.snapshot import Admission
from upheld.services.sync import sync
from upheld.services.team import Team
from upheld.services.verify import verify
from upheld.services.versions import Draft
from upheld.stores.directory import DirectoryStore
from upheld.stores.directory_writer import WritableDirectory
from upheld.stores.git_heads import GitHeads
from upheld.stores.git_history import GitHistory
from upheld.stores.git_plumbing import Git, find_git
from upheld.stores.git_remote import RemoteBranch
from upheld.stores.work_folder import WorkFolder

TODAY = "2026-11-30"
BRANCH = "upheld/store"
GIT = find_git(os.environ)


def admit(data: bytes, index: Index) -> Admission:
    return Admission(sealed=False)


def git(*arguments: str, folder: Path, env: Mapping[str, str] | None = None) -> str:
    """Run git as a user would, in a folder; its identity is fixed."""
    identity = {
        name: "Test" if name.endswith("NAME") else "test@invalid"
        for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
    }
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **identity, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def bare(path: Path) -> Path:
    path.mkdir(parents=True)
    git("init", "--bare", "--quiet", "--initial-branch=main", str(path), folder=path)
    return path


class Person:
    """One person: a store's folder, and what their machine remembers."""

    def __init__(self, home: Path, remote: Path, *, name: str, folder: Path | None = None) -> None:
        self.name = name
        self.folder = folder or home / name / "work" / ".upheld"
        self.state = home / name / "state.git"
        self.remote = remote
        self.nonces = (f"{ord(name[0]):02x}{number:02x}" for number in itertools.count())
        self.before_push: Callable[[], None] = lambda: None

    @property
    def git(self) -> Git:
        assert GIT is not None
        return Git(str(self.state), GIT, os.environ)

    @property
    def history(self) -> GitHistory:
        return GitHistory(self.git, lambda: DirectoryStore(str(self.folder)))

    @contextmanager
    def writer(self) -> Iterator[Writer]:
        with WritableDirectory(str(self.folder)) as store:
            yield Writer(
                store=store,
                admit=admit,
                sealer=None,
                today=TODAY,
                instant=lambda: f"{TODAY}T12:00:00Z",
                monotonic=time.monotonic,
                by=self.name,
                after=(self.history.record,),
            )

    def init(self, store_id: str = "0123456789abcdef") -> Committed:
        self.folder.mkdir(parents=True)
        with self.writer() as writer:
            return init(writer, store_id)

    def commit(self, plan: Callable[[Base], Change]) -> Committed:
        with self.writer() as writer:
            return commit(writer, plan)

    def remember(self, key: str, text: str) -> Committed:
        return self.commit(
            plan_remember(_draft(key, text), read_when=f"about {key}", trigger=None, nonce=next(self.nonces))
        )

    def correct(self, key: str, text: str) -> Committed:
        def plan(base: Base) -> Change:
            pointer = base.pointer(key)
            assert pointer is not None
            return plan_correct(_draft(key, text), base_sha256=pointer.record_sha256, nonce=next(self.nonces))(base)

        return self.commit(plan)

    def text(self, key: str) -> str | None:
        with DirectoryStore(str(self.folder)) as store:
            outcome = recall(store, key, as_of=TODAY, today=TODAY, admit=admit)
        return outcome.text if isinstance(outcome, Answer) else None

    def faults(self) -> list[str]:
        with DirectoryStore(str(self.folder)) as store:
            verdict = verify(store, as_of=TODAY, today=TODAY, admit=admit)
        return [f"{finding.code} {finding.place}" for finding in verdict.findings]

    def sync(self, *choices: Choice) -> Synced:
        with self.team() as team:
            return sync(team, choices)

    def pull(self) -> Synced:
        with self.team() as team:
            return pull(team)

    def drop(self) -> Synced:
        with self.team() as team:
            done = drop_drafts(team, lambda keys: True)
        assert done is not None
        return done

    @contextmanager
    def team(self) -> Iterator[Team]:
        branch = _Racing(self.git, str(self.remote), BRANCH, may_ask=False)
        branch.before_push = self.before_push
        history, folder = self.history, WorkFolder(str(self.folder))
        try:
            yield Team(
                branch=branch,
                archive=history,
                heads=GitHeads(self.git),
                folder=folder,
                admit_of=lambda store: admit,
                sealer=lambda keys: None,
                today=TODAY,
                instant=lambda: f"{TODAY}T13:00:00Z",
                monotonic=time.monotonic,
                by=self.name,
                nonce=lambda: next(self.nonces),
                screen=lambda base, change: None,
            )
        finally:
            for opened in (branch, history, folder):
                opened.close()

    def bytes(self) -> dict[str, bytes]:
        """Every file of the folder but the lock."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.name != ".lock"
        }


class _Racing(RemoteBranch):
    """A remote branch that lets somebody else publish at the worst moment."""

    before_push: Callable[[], None]

    def push(self, version, over) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
        self.before_push()
        super().push(version, over)


def _draft(key: str, text: str) -> Draft:
    return Draft(
        key=key,
        text=text.encode(),
        because=f"{key} matters",
        owner=None,
        review_on="2027-05-01",
        expires_on="2027-11-01",
    )
