"""One writer or one reader of a shared store, as a process of its own.

``write PLACE NAME COUNT`` prints one line a correction: ``ok VERSION`` or the name of the error.
``read PLACE STOP`` recalls until the file STOP is there, and prints a line each time: ``VERSION KEY TEXT``, or why not.
"""

from __future__ import annotations

import os
import sys
import time
from itertools import count
from pathlib import Path

from crash_world import ask, draft, record_now, writer_of

from upheld.errors import BusyError, ConflictError
from upheld.model.answer import Answer
from upheld.services.commit import commit, load
from upheld.services.correct import plan_correct
from upheld.stores.directory_writer import WritableDirectory

KEYS = ("alpha", "beta", "gamma", "delta", "epsilon")


def write(place: str, name: str, corrections: int) -> None:
    for number in range(corrections):
        with WritableDirectory(place) as store:
            writer = writer_of(store)
            base, key = load(writer), KEYS[number % len(KEYS)]
            plan = plan_correct(
                draft(key, f"Text {number} of {name}.\n"),
                base_sha256=record_now(base, key),
                nonce=f"{name}{number:03d}",
            )
            try:
                print(f"ok {commit(writer, plan).version}", flush=True)  # noqa: T201
            except (ConflictError, BusyError) as error:
                print(type(error).__name__, flush=True)  # noqa: T201


def read(place: str, stop: str) -> None:
    for number in count():
        last = os.path.exists(stop)
        key = KEYS[number % len(KEYS)]
        outcome = ask(Path(place), key)
        if isinstance(outcome, Answer):
            print(f"{outcome.version} {key} {outcome.text.strip()}")  # noqa: T201
        else:
            print(f"refused {outcome.code} {outcome.why}")  # noqa: T201
        if last:
            return
        time.sleep(0.02)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        read(sys.argv[2], sys.argv[3])
