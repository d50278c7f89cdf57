"""Two writers and twenty readers at once: nothing is lost, and no reader sees a mixture or a false alarm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import crash_oracle
import crash_worker
import pytest
from crash_judge import leftovers
from crash_world import SCRIPT, ask, build, run, write_init, write_remember

from upheld.errors import BusyError
from upheld.model.answer import Answer
from upheld.stores.directory_writer import WritableDirectory

CORRECTIONS = 100
READERS = 20


def start(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, crash_worker.__file__, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def finish(process: subprocess.Popen[str]) -> list[str]:
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    return out.splitlines()


def test_two_writers_and_twenty_readers(tmp_path: Path) -> None:
    place, stop = tmp_path / "store", tmp_path / "stop"
    build(place, (write_init(), *(write_remember(key, f"First of {key}.\n") for key in crash_worker.KEYS)))
    readers = [start("read", str(place), str(stop)) for _ in range(READERS)]
    writers = [start("write", str(place), name, str(CORRECTIONS)) for name in ("a", "b")]
    said = [line for writer in writers for line in finish(writer)]
    stop.touch()
    seen = [finish(reader) for reader in readers]

    accepted = [int(line.split()[1]) for line in said if line.startswith("ok ")]
    refused = [line for line in said if not line.startswith("ok ")]
    assert len(said) == 2 * CORRECTIONS
    assert set(refused) <= {"ConflictError", "BusyError"}
    # Nothing lost: each accepted correction is one version, and the chains together are as long as all of them.
    assert sorted(accepted) == list(range(7, 7 + len(accepted)))
    assert len(list((place / "records").iterdir())) == len(accepted) + len(crash_worker.KEYS)
    assert not crash_oracle.faults(place)
    assert not leftovers(place)

    texts: dict[tuple[str, str], str] = {}
    for lines in seen:
        versions = []
        for line in lines:
            number, key, text = line.split(" ", 2)
            assert number.isdigit(), f"a false alarm: {line}"
            assert texts.setdefault((number, key), text) == text, "two texts of one version"
            versions.append(int(number))
        assert versions == sorted(versions), "a reader went back"
        assert versions[-1] == max(accepted)


def test_a_dead_holder_of_the_lock_is_no_obstacle(tmp_path: Path) -> None:
    place = tmp_path / "store"
    build(place, SCRIPT[:2])
    code = (
        "import os,sys\nfrom upheld.stores.directory_writer import WritableDirectory\n"
        f"s = WritableDirectory({str(place)!r})\nwith s.lock(1):\n    print('held', flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with WritableDirectory(str(place)) as store, pytest.raises(BusyError), store.lock(0.05):
        pytest.fail("two writers at once")
    assert isinstance(ask(place, "alpha"), Answer), "readers need no lock"
    holder.kill()
    holder.communicate()
    run(write_remember("gamma", "Gamma.\n"), place)
    assert isinstance(ask(place, "gamma"), Answer)
