"""What it costs to record a commit in git history: a commit with it against the same commit without, in one run."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from upheld.model.change import Committed
from upheld.model.index import Index
from upheld.services.commit import Writer, commit
from upheld.services.init import init
from upheld.services.remember import plan_remember
from upheld.services.snapshot import Admission
from upheld.services.versions import Draft
from upheld.stores.directory import DirectoryStore
from upheld.stores.directory_writer import WritableDirectory
from upheld.stores.git_history import GitHistory
from upheld.stores.git_plumbing import Git, find_git

COMMITS = 60


def admit(data: bytes, index: Index) -> Admission:
    """Accept any index."""
    return Admission(sealed=False)


def commits(folder: Path, after: tuple[Callable[[Committed], None], ...]) -> list[float]:
    """Make a store and return how long each of its commits took, in seconds."""
    folder.mkdir()
    took = []
    with WritableDirectory(str(folder)) as store:
        writer = Writer(
            store=store,
            admit=admit,
            sealer=None,
            today="2026-11-30",
            instant=lambda: "2026-11-30T12:00:00Z",
            monotonic=time.monotonic,
            by="bench",
            after=after,
        )
        init(writer, "0123456789abcdef")
        for number in range(COMMITS):
            draft = Draft(
                key=f"key-{number}",
                text=f"Do number {number}.\n".encode(),
                because="it is measured",
                owner=None,
                review_on="2027-05-01",
                expires_on="2027-11-01",
            )
            begun = time.perf_counter()
            done = commit(writer, plan_remember(draft, read_when="measuring", trigger=None, nonce="abcd"))
            took.append(time.perf_counter() - begun)
            if done.warning:
                sys.exit(done.warning)
    return took


def main() -> None:
    """Print one table."""
    program = find_git(os.environ)
    if program is None:
        sys.exit("git is not installed")
    with tempfile.TemporaryDirectory() as room:
        plain, kept = Path(room) / "plain", Path(room) / "kept"
        git = Git(str(Path(room) / "history.git"), program, os.environ)
        history = GitHistory(git, lambda: DirectoryStore(str(kept)))
        without = statistics.median(commits(plain, ()))
        with_it = statistics.median(commits(kept, (history.record,)))
        begun = time.perf_counter()
        for _ in range(20):
            git.run("version")
        process = (time.perf_counter() - begun) / 20
    print(f"a commit                      {without * 1000:7.1f} ms   1.00")
    print(f"a commit, recorded in history {with_it * 1000:7.1f} ms   {with_it / without:.2f}")
    print(f"a git process that does nothing {process * 1000:5.1f} ms   {process / without:.2f}")


if __name__ == "__main__":
    main()
