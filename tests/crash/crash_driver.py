"""A process that does one scripted write and says how it went by its exit status; run under strace, so it is small.

Reads jobs from standard input, one a line: ``PLACE NUMBER``. For each it forks a child, prints the child's process id,
waits for a line that says go, and prints the child's status. The child has everything imported already, so that what
strace sees are the calls of the write and no others.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
from typing import NoReturn

import crash_sealed
import crash_world
from crash_world import writer_of

from upheld.errors import BusyError, CommitUnknownError, ConflictError, RefusedError, StorageError, UpheldError
from upheld.stores.directory_writer import WritableDirectory

COMMITTED, WARNED, STORAGE, BUSY, CONFLICT, UNKNOWN, REFUSED, OTHER, RAW = range(9)
_STATUS: tuple[tuple[type[UpheldError], int], ...] = (
    (StorageError, STORAGE),
    (BusyError, BUSY),
    (ConflictError, CONFLICT),
    (CommitUnknownError, UNKNOWN),
    (RefusedError, REFUSED),
    (UpheldError, OTHER),
)


def write(place: str, number: int) -> int:
    try:
        with WritableDirectory(place) as store:
            return WARNED if crash_world.SCRIPT[number].act(writer_of(store)).warning else COMMITTED
    except UpheldError as error:
        return next(status for kind, status in _STATUS if isinstance(error, kind))
    except Exception:  # noqa: BLE001 - whatever else comes out is what the test must hear of
        import traceback

        traceback.print_exc()
        return RAW


def child(place: str, number: int, go: int, limit: int | None) -> NoReturn:
    select.select([go], [], [])  # none of the calls that are counted
    if limit is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    os._exit(write(place, number))


def main() -> None:
    if sys.argv[1:] == ["sealed"]:
        crash_sealed.switch_on()
    for line in sys.stdin:
        place, number, limit = line.rstrip("\n").split("\t")
        reader, writer = os.pipe()
        pid = os.fork()
        if not pid:
            child(place, int(number), reader, int(limit) if limit else None)
        os.close(reader)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
        sys.stdin.readline()
        os.write(writer, b"g")
        os.close(writer)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
