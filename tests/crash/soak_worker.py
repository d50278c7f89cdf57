"""One long-lived reader or writer of a sealed store, as a process of its own, that says what it holds as it goes on.

``write PLACE NAME COUNT`` changes the store COUNT times. ``read PLACE STOP`` reads until the file STOP is there. Both
print one JSON line a round: how it went, open descriptors, and kilobytes of memory.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import upheld
from upheld.errors import BusyError, ConflictError, RefusedError, UpheldError, UsageError

KEYS = tuple(f"rule-{number}" for number in range(6))


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def kilobytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def say(outcome: str) -> None:
    line = {"said": outcome, "descriptors": open_descriptors(), "kilobytes": kilobytes()}
    print(json.dumps(line), flush=True)  # noqa: T201


def tried(act: Callable[[], object]) -> str:
    """Do something that another writer may come before; anything else that goes wrong is said by its name."""
    try:
        act()
    except (BusyError, ConflictError, RefusedError, UsageError) as error:
        return type(error).__name__
    except UpheldError as error:
        return f"{type(error).__name__}: {error}"
    return "done"


def writes(memory: upheld.Memory, name: str) -> Iterator[Callable[[], object]]:
    """The life of a store: mostly corrections, now and then a key that goes and comes back."""
    for number in count():
        key = KEYS[number % len(KEYS)]
        text = f"# {key}\n\nDo {key} as {name} says, the {number}th time.\n"
        yield lambda key=key, text=text: memory.correct(key, text, because="It changed.")  # type: ignore[misc]
        if number % 5 == 4:
            yield lambda key=key: memory.retire(key, because="For a while.")  # type: ignore[misc]
            yield lambda key=key: memory.restore(key, to="1", because="It holds again.")  # type: ignore[misc]


def write(place: str, name: str, changes: int) -> None:
    steps = writes(upheld.open(place), name)
    for _ in range(changes):
        say(tried(next(steps)))


def read(place: str, stop: str) -> None:
    memory = upheld.open(place)
    for number in count():
        last = os.path.exists(stop)
        if number % 10 == 9:
            verdict = memory.verify(processes=1)
            say(f"{verdict.outcome} {[finding.code for finding in verdict.findings]}")
        else:
            outcome = memory.recall(KEYS[number % len(KEYS)])
            say(outcome.outcome if outcome.outcome != "refused" else getattr(outcome, "code", ""))
        if last:
            return


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        read(sys.argv[2], sys.argv[3])
