"""The enumerator again with seals, log, trust root and a rotation; and the state that is written after the swap.

A reader that meets version N+1 while its trusted state still says N has to accept it, by the seal and the events, and
must never call it an attack. The trusted state itself moves by one rename; its own crash states are N and N+1.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import crash_oracle
import crash_sealed
import pytest
from crash_judge import NOTHING, Expected, collect, judge_reading, judge_writing, leftovers, materialise, say
from crash_recorder import Contents, Operation, RecordingDisk, read_all
from crash_sealed import SCRIPT, copy_state, pin, roots_past_the_index, state_of
from crash_states import CrashState, crash_states
from crash_world import Texts, Write, copy, run
from test_crash_strace import CHANGING, KILLED, Driver, Start, calls_of, why_not

from upheld.model.value import Value
from upheld.stores.state_writer import StateDirectory

NAMES = [f"{number}-{write.name}" for number, write in enumerate(SCRIPT)]
ATTACKS = ("RBK", "SIG", "LOG", "HSH")


@pytest.fixture(autouse=True)
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    crash_sealed.switch_on(monkeypatch.setattr)
    # The enumerator varies what the store's disk holds; that a state is durable is its own fsync, which costs time here.
    monkeypatch.setattr("upheld.stores.state_writer.os.fsync", lambda descriptor: None)


class Recorded(Value):
    """One write, watched. ``told`` is after how many operations the trusted state was written."""

    write: Write
    before: Contents
    trace: tuple[Operation, ...]
    told: int
    states: tuple[Path, Path]
    said_before: Texts
    said_after: Texts


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Recorded, ...]]:
    with pytest.MonkeyPatch.context() as patch:
        crash_sealed.switch_on(patch.setattr)
        yield tuple(_recorded(tmp_path_factory.mktemp("recorded"), patch))


def _recorded(home: Path, patch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    place, said = home / "store", NOTHING
    place.mkdir()
    save = StateDirectory.save
    for number, write in enumerate(SCRIPT):
        before, disk, told = read_all(place), RecordingDisk(str(place)), list[int]()
        states = (home / f"state-{number}", home / f"state-{number + 1}")

        def watched(self: StateDirectory, *given: object) -> None:
            told.append(len(disk.trace))  # noqa: B023 - called before the next round
            save(self, *given)  # type: ignore[arg-type]

        patch.setattr(StateDirectory, "save", watched)
        run(write, place, disk)
        patch.setattr(StateDirectory, "save", save)
        shutil.copytree(state_of(place), states[1])
        after = write.after({} if said is NOTHING else said)
        yield Recorded(
            write=write,
            before=before,
            trace=tuple(disk.trace),
            told=told[-1],
            states=states,
            said_before=said,
            said_after=after,
        )
        said = after


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else tmp_path) as folder:
        yield Path(folder)


def judge(home: Path, state: CrashState, case: Recorded, *, is_told: bool) -> list[str]:
    """Return what is wrong with one state of the disk, under the trusted state of before or of after the swap."""
    place = home / "store"
    try:
        materialise(place, state.files, state.folders)
        copy_state(case.states[1 if is_told else 0], place)
        acknowledged = is_told or state.point == len(case.trace)
        versions = [case.said_after] if acknowledged else [case.said_before, case.said_after]
        keys = (frozenset(case.said_before) | frozenset(case.said_after)) - {""}
        if case.said_before is NOTHING and "RBK006" in str(say(place, keys)):
            pin(place)  # made, and the writer died before it could pin it: a person does
        said, found = judge_reading(place, Expected(versions=versions, keys=keys))
        if not found:
            found = judge_writing(place, said, case.write, case.said_after, keys)
            found += [*roots_past_the_index(place), *leftovers(place)] if state.is_ordered else []
            collect(place, leftovers(place))  # the note itself may be lost with the power; then `gc` tidies up
            found += crash_oracle.faults(place)
        return found
    finally:
        shutil.rmtree(place)
        shutil.rmtree(state_of(place), ignore_errors=True)


def judged(home: Path, case: Recorded) -> Counter[bool]:
    """Judge every state; return how many were met under which trusted state."""
    looked: Counter[bool] = Counter()
    seen: set[object] = set()
    for state in crash_states(case.before, case.trace):
        # The state is written between two operations of the store: before that it is old, after that it is new, and
        # at that very point it may be either.
        for is_told in {state.point >= case.told} | {state.point > case.told}:
            key = (state.key, is_told, state.is_ordered, state.point == len(case.trace))
            if key in seen:
                continue
            seen.add(key)
            looked[is_told] += 1
            found = judge(home, state, case, is_told=is_told)
            assert not found, (case.write.name, state.point, case.trace[state.point - 1], is_told, found)
    return looked


@pytest.mark.parametrize("number", range(len(SCRIPT)), ids=NAMES)
def test_any_crash_of_a_sealed_write_leaves_one_whole_version(
    recorded: tuple[Recorded, ...], number: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crash_states.ALL_SUBSETS", 2)  # the unsealed enumeration takes all of them
    looked = judged(home, recorded[number])
    assert looked[False] > len(recorded[number].trace)
    assert looked[True]


def test_a_rotation_is_one_commit_and_the_state_follows_it(recorded: tuple[Recorded, ...]) -> None:
    case = recorded[NAMES.index("3-rotate")]
    names = [step.name for step in case.trace if step.kind in ("link", "rename")]
    swap = next(number for number, step in enumerate(case.trace) if step.name == "index.json" and step.kind == "rename")
    assert sum(step.name == "index.json" for step in case.trace if step.kind == "rename") == 1
    assert len([name for name in names if name.startswith("trust/2") and name.count(".") in (1, 2)]) >= 3
    assert case.trace[swap + 1].kind == "sync-folder"
    assert case.told > swap + 1, "the trusted state must never be ahead of the disk"


def test_a_state_that_is_ahead_of_the_disk_would_be_caught(recorded: tuple[Recorded, ...], home: Path) -> None:
    """The proof can fail: were the state written before the swap is durable, a crash would look like a rollback."""
    early = recorded[2].replace(told=0)
    with pytest.raises(AssertionError, match="RBK001"):
        judged(home, early)


# --- the same with real kills -----------------------------------------------------------------------------------------


@pytest.mark.skipif(bool(why_not()), reason=f"NO REAL FAULTS WERE INJECTED: {why_not()}")
@pytest.mark.parametrize("number", [2, 3], ids=["correct", "rotate"])
def test_a_sealed_write_is_killed_at_every_change(number: int, tmp_path: Path) -> None:
    start = _start(tmp_path / "start", number)
    driver = Driver("sealed")
    drivers: Queue[Driver] = Queue()
    drivers.put(driver)
    (tmp_path / "counted").mkdir()
    try:
        counted = calls_of(start, drivers, tmp_path / "counted", copy=_copy)
        changing = {call: count for call, count in counted.items() if CHANGING.fullmatch(call)}
        assert sum(changing.values()) > 30
        for call, count in changing.items():
            for when in range(1, count + 1):
                place = _copy(start.place, tmp_path / f"{call}-{when}")
                arguments = ["-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={when}"]
                assert driver.run(place, number, strace=arguments) == KILLED
                found = _check(place, start)
                assert not found, (call, when, found)
                shutil.rmtree(place)
    finally:
        driver.close()


def _start(home: Path, number: int) -> Start:
    home.mkdir()
    place, said = home / "store", NOTHING
    for write in SCRIPT[:number]:
        run(write, place)
        said = write.after({} if said is NOTHING else said)
    return Start(place, number, said)


def _copy(source: Path, target: Path) -> Path:
    copy_state(state_of(source), target)
    return copy(source, target)


def _check(place: Path, start: Start) -> list[str]:
    said = say(place, start.keys)
    if said not in (start.before, start.after):
        return [f"it says {said}"]
    found = judge_writing(place, said, start.write, start.after, start.keys)
    return [*found, *crash_oracle.faults(place), *leftovers(place), *roots_past_the_index(place)]
