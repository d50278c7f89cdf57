"""Session start fetches what others published: in the background, with nothing of ours, and only where there is a remote."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from hooking import Session
from upheld.hooks import detached
from upheld.stores.state_writer import StateDirectory

pytestmark = pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="looks at descriptors where Linux shows them"
)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Session:
    made = Session(tmp_path, monkeypatch, capfd)
    made.keep()
    return made


def share(session: Session) -> None:
    """Let the state say that the store is shared, as a sync does."""
    state = StateDirectory(str(session.state), str(session.project / ".upheld"))
    now = state.load()
    assert now is not None
    state.save(now.replace(remote="git@example.com:team/memory.git", synced_on="2026-11-30"), None)


def test_a_session_starts_a_pull_where_there_is_a_remote_once_a_minute(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr(detached, "start_pull", started.append)
    session.context("session-start", source="startup")
    assert started == []
    share(session)
    session.session = "session-2"
    assert "last sync: 2026-11-30" in session.context("session-start", source="startup")
    assert started == [str(session.project / ".upheld")]
    session.session = "session-3"
    session.context("session-start", source="resume")
    assert len(started) == 1


def test_a_prompt_starts_none(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    monkeypatch.setattr(detached, "start_pull", started.append)
    share(session)
    session.prompt("Before deploying to production.")
    assert started == []


def test_what_is_started_has_no_terminal_no_descriptor_of_ours_and_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    program = tmp_path / "program"
    program.write_text(
        f"#!/bin/sh\nexec > {seen}.part\nfor fd in 0 1 2 3 4 5 6 7 8 9; do\n"
        '  [ -e /proc/$$/fd/$fd ] && echo "$fd $(readlink /proc/$$/fd/$fd)"\ndone\n'
        'echo "args $*"\necho "git $GIT_TERMINAL_PROMPT"\necho "session $(cut -d" " -f6 /proc/$$/stat) of $$"\n'
        f"mv {seen}.part {seen}\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    leaked, other = os.pipe()
    os.set_inheritable(leaked, True)
    try:
        assert detached.start_pull("/some/store") is True
        for _ in range(200):
            if seen.exists():
                break
            time.sleep(0.05)
    finally:
        os.close(leaked)
        os.close(other)
    lines = seen.read_text().splitlines()
    files = dict(line.split(" ", 1) for line in lines if line[0].isdigit())
    assert files["0"] == files["2"] == "/dev/null"
    assert not any(target.startswith("pipe:") for target in files.values())
    assert "args -I -m upheld sync --pull --store /some/store --format concise" in lines
    assert "git 0" in lines
    [mine] = [line.split() for line in lines if line.startswith("session")]
    assert mine[1] == mine[3], "it leads a session of its own"


def test_where_nothing_can_be_started_the_session_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    assert detached.start_pull("/some/store") is False
