"""Mixed readers and writers for long: nothing grows but what the live store needs, and nobody sees a false alarm.

``UPHELD_SOAK_CHANGES`` says how many changes each writer makes: 20 unless it is set, which is about an hour of a busy
team; several hundred for a night.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import crash_oracle
import pytest
import soak_worker

import upheld
from keeping import kept_store

CHANGES = int(os.environ.get("UPHELD_SOAK_CHANGES", "20"))
WRITERS, READERS = 2, 2
SECONDS = 60 + 10 * CHANGES
_SPARE = 4096
"""How much more memory, in kilobytes, the last third of a process's life may hold than the second: noise."""

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors are counted in /proc"),
]


def start(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, soak_worker.__file__, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def finish(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, err
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("soak")


@pytest.fixture(scope="module")
def lives(place: Path) -> dict[str, list[list[dict[str, Any]]]]:
    """What every process said, by what it did."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(place / "home"))
        for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE"):
            patch.delenv(name, raising=False)
        memory = kept_store(place)
        for key in soak_worker.KEYS:
            memory.remember(key, f"# {key}\n\nDo {key} first.\n", when=f"Before {key}", because="It is a rule.")
        store, stop = str(place / ".upheld"), place / "stop"
        readers = [start("read", store, str(stop)) for _ in range(READERS)]
        writers = [start("write", store, name, str(CHANGES)) for name in "ab"[:WRITERS]]
        try:
            written = [finish(process) for process in writers]
            stop.touch()
            read = [finish(process) for process in readers]
        finally:
            for process in (*readers, *writers):
                process.kill()
                process.communicate()
        verdict = upheld.open(store).verify()
        assert (verdict.outcome, verdict.findings) == ("verified", ())
    return {"write": written, "read": read}


def test_changes_land_or_give_way_and_nothing_else(lives: dict[str, list[list[dict[str, Any]]]], place: Path) -> None:
    said = [line["said"] for life in lives["write"] for line in life]
    assert len(said) == WRITERS * CHANGES
    assert set(said) <= {"done", "BusyError", "ConflictError", "RefusedError", "UsageError"}
    assert said.count("done") >= CHANGES, "the writers were in each other's way all the time"
    version = json.loads((place / ".upheld" / "index.json").read_bytes())["version"]
    assert version == 1 + len(soak_worker.KEYS) + said.count("done"), "a change was lost, or made twice"


def test_readers_see_no_false_alarm(lives: dict[str, list[list[dict[str, Any]]]]) -> None:
    for life in lives["read"]:
        assert len(life) > 10
        # PTR005: the key is retired for a while. STO007: a commit's new files stand there before its index names them;
        # verify notes them, and that is no error.
        said = {line["said"].replace("'STO007', ", "").replace("'STO007'", "") for line in life}
        assert said <= {"verified", "PTR005", "verified []"}


@pytest.mark.parametrize("kind", ["read", "write"])
def test_no_process_grows(lives: dict[str, list[list[dict[str, Any]]]], kind: str) -> None:
    for life in lives[kind]:
        third = len(life) // 3
        middle, end = life[third : 2 * third], life[2 * third :]
        assert max(line["descriptors"] for line in end) <= max(line["descriptors"] for line in middle)
        grown = max(line["kilobytes"] for line in end) - max(line["kilobytes"] for line in middle)
        assert grown < _SPARE, f"{grown} kB"


def test_the_folder_holds_what_the_index_leads_to(lives: dict[str, list[list[dict[str, Any]]]], place: Path) -> None:
    assert lives
    store = place / ".upheld"
    files = {path.relative_to(store).as_posix() for path in store.rglob("*") if path.is_file()}
    assert files - crash_oracle.reachable(store) <= {".attempt"}


def test_the_state_outside_the_store_does_not_grow_with_changes(
    lives: dict[str, list[list[dict[str, Any]]]], place: Path
) -> None:
    """The history is a repository of every version, and is meant to; nothing else is."""
    assert lives
    files = [path for path in (place / "home").rglob("*") if path.is_file()]
    others = [path for path in files if "git" not in path.relative_to(place).parts]
    assert 0 < len(others) < 20, sorted(path.name for path in others)
