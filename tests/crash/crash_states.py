"""What a crash may leave of a trace of operations, in the manner of ALICE (Pillai et al., OSDI 2014).

The model of a disk, as weak as POSIX allows:

* What a file holds is durable once the file was synced after the write. Until then a crash may leave nothing of it,
  half of it, as many zero bytes, or all of it.
* A change of a name (a new file, folder or link, a removal, a rename) is durable once the folder that holds the name
  was synced after it. Until then it may be missing, whatever else is there, in any combination: names do not wait for
  each other, nor for data. A rename within one folder is one change.
* A folder whose own name is missing takes everything in it along, synced or not.

Crash points are all prefixes of the trace. *Ordered* states keep all of the prefix: that is a killed process.
*Weakly ordered* states keep what is durable and any subset of the rest: that is a loss of power.

Three reductions keep the number small and lose nothing that a reader or the next writer can tell:

1. Temporary files (``.new-...``) are opened by nobody. The next writer lists them to take them away, which depends on
   a name being there and on nothing else. So their changes of name are kept or lost together, and what they hold is
   not varied.
2. Contents are varied only for files that a state shows under a name that somebody opens.
3. States that are the same up to 1 are looked at once.

Where more than ``ALL_SUBSETS`` changes are open at once (a split of the index makes dozens), not all subsets are
taken but: all prefixes, each change lost alone, and each change kept alone. A fault that needs two particular losses
among two particular survivals is out of sight there; the ordinary writes, which take every step that the large one
takes, are enumerated in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from crash_recorder import Contents, Operation

from upheld.model.value import Value

ALL_SUBSETS = 9
_MOST_CONTENTS = 4


class CrashState(Value):
    """One state that a crash may leave.

    Attributes:
        files: every file by name. folders: every folder that is there.
        point: how many operations were asked for when it happened.
        is_ordered: whether all of them took effect.
    """

    files: Contents
    folders: frozenset[str]
    point: int
    is_ordered: bool

    @property
    def key(self) -> tuple[object, ...]:
        """What tells two states apart for a reader or a writer (reduction 3)."""
        shown = frozenset((name, data) for name, data in self.files.items() if not is_temporary(name))
        return shown, frozenset(_folder(name) for name in self.files if is_temporary(name))


def is_temporary(name: str) -> bool:
    return name.rpartition("/")[2].startswith(".new-")


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def crash_states(before: Contents, trace: Sequence[Operation], first: int = 0) -> Iterator[CrashState]:
    """Enumerate what a crash in ``trace`` may leave of a store that held ``before``, all of which was durable.

    Args:
        before: the files before the trace.
        trace: the operations.
        first: the first crash point to look at.
    """
    replay = _Replay(before, trace)
    for point in range(first, len(trace) + 1):
        seen: set[object] = set()
        for kept in replay.choices(point):
            for state in replay.states(point, kept):
                if state.key not in seen or state.is_ordered:
                    seen.add(state.key)
                    yield state


class _Replay:
    def __init__(self, before: Contents, trace: Sequence[Operation]) -> None:
        self._names = {name: -number for number, name in enumerate(sorted(before), 2)}
        self._bytes = {self._names[name]: data for name, data in before.items()}
        self._folders = {"", *(_folder(name) for name in before)}
        self._trace = trace
        self._synced = [self._sync_points(number) for number in range(len(trace))]

    def _sync_points(self, number: int) -> int:
        """Return after how many operations the effect of one is durable; past the end where it never is."""
        done = self._trace[number]
        for later in range(number + 1, len(self._trace)):
            sync = self._trace[later]
            if done.kind == "data":
                covered = sync.kind == "sync-file" and (sync.inode == done.inode or self._names_it(sync, done, later))
            else:
                covered = sync.kind == "sync-folder" and sync.name == done.folder
            if covered:
                return later + 1
        return len(self._trace) + 1

    def _names_it(self, sync: Operation, done: Operation, until: int) -> bool:
        """Whether a sync of a name is of the file that ``done`` wrote."""
        holders = [
            step.inode for step in self._trace[:until] if step.kind in ("link", "rename") and step.name == sync.name
        ]
        return sync.inode == -1 and bool(sync.name) and holders[-1:] == [done.inode]

    def choices(self, point: int) -> Iterator[frozenset[int]]:
        """Enumerate which changes of names take effect: the durable ones, and subsets of the others."""
        names = [n for n in range(point) if self._trace[n].kind in ("mkdir", "link", "unlink", "rename")]
        durable = frozenset(n for n in names if self._synced[n] <= point)
        yield frozenset(names)
        loose = [n for n in names if n not in durable]
        temporary = frozenset(n for n in loose if is_temporary(self._trace[n].name))
        for kept in _subsets([n for n in loose if n not in temporary]):
            yield durable | kept
            if temporary:
                yield durable | kept | temporary

    def states(self, point: int, kept: frozenset[int]) -> Iterator[CrashState]:
        """Enumerate the states in which exactly the changes ``kept`` took effect."""
        names, folders = dict(self._names), set(self._folders)
        for number in sorted(kept):
            _apply(self._trace[number], names, folders)
        folders = {folder for folder in folders if folder == "" or _folder(folder) in folders}
        shown = {name: inode for name, inode in names.items() if _folder(name) in folders}
        whole, loose = self._contents(point)
        is_all = len(kept) == sum(step.kind in ("mkdir", "link", "unlink", "rename") for step in self._trace[:point])
        varied = sorted({inode for name, inode in shown.items() if inode in loose and not is_temporary(name)})
        for number, contents in enumerate(_variants({inode: loose[inode] for inode in varied})):
            held = {**whole, **dict.fromkeys(loose, b""), **contents}
            files = {name: held.get(inode, b"") for name, inode in shown.items()}
            yield CrashState(files=files, folders=frozenset(folders), point=point, is_ordered=is_all and number == 0)

    def _contents(self, point: int) -> tuple[dict[int, bytes], dict[int, bytes]]:
        """Return the contents that are durable, and those that are not, by file."""
        whole = dict(self._bytes)
        loose: dict[int, bytes] = {}
        for number, step in enumerate(self._trace[:point]):
            if step.kind == "data":
                (whole if self._synced[number] <= point else loose)[step.inode] = step.bytes
        return whole, loose


def _apply(step: Operation, names: dict[str, int], folders: set[str]) -> None:
    if step.kind == "mkdir":
        folders.add(step.name)
    elif step.kind == "unlink":
        names.pop(step.name, None)
    else:
        names.pop(step.other, None)
        names[step.name] = step.inode


def _subsets(loose: Sequence[int]) -> Iterator[frozenset[int]]:
    if len(loose) <= ALL_SUBSETS:
        for size in range(len(loose) + 1):
            yield from map(frozenset, combinations(loose, size))
        return
    everything = frozenset(loose)
    for end in range(len(loose) + 1):
        yield frozenset(loose[:end])
    for one in loose:
        yield frozenset([one])
        yield everything - {one}


def _variants(loose: dict[int, bytes]) -> Iterable[dict[int, bytes]]:
    """Return what unsynced files may hold, all of it first."""
    kinds = [(data, b"", data[: len(data) // 2], bytes(len(data))) for data in loose.values()]
    if len(loose) <= _MOST_CONTENTS:
        return [dict(zip(loose, choice, strict=True)) for choice in product(*kinds)]
    columns = list(zip(*kinds, strict=True))
    alone = [
        {**loose, inode: variant} for inode, variants in zip(loose, kinds, strict=True) for variant in variants[1:]
    ]
    return [dict(zip(loose, column, strict=True)) for column in columns] + alone
