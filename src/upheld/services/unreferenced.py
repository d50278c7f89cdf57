"""Files that nothing names. They are never served; somebody put them there or a commit was cut short (STO007)."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.ports.store import ReadsFolders

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Tally

NAMED_FOLDERS = ("index", "records", "sources", "triggers")
"""Folders in which every file must be named by the index, a record or a pointer."""

ATTEMPT = ".attempt"
"""The note of a writer that is at work, or that died there."""
KNOWN = frozenset(
    [
        "index.json",
        ".gitattributes",
        "README.md",
        ".lock",
        ATTEMPT,
        "seals",
        "trust",
        "log",
        "proposals",
        *NAMED_FOLDERS,
    ]
)
"""What may stand at the top of a closed store. What is in seals, trust and log is theirs to account for."""


class Folders(Value):
    """What stood in the folders whose files must be named: eight bytes a name, as ``Tally`` counts them.

    Attributes:
        hashes: one hash a name, by folder.
        faults: why a folder could not be listed.
        are_regular: whether everything there is a regular file, so that ``ReadsFolders.reader`` can be relied on.
    """

    hashes: Mapping[str, array[int]]
    faults: tuple[FaultError, ...]
    are_regular: bool


def listed(store: ReadableStore, *, is_closed: bool) -> Folders:
    """List the folders whose files must be named. Any moment of a verification will do: it counts for one index."""
    hashes, faults, are_regular = {}, [], True
    for folder in NAMED_FOLDERS if is_closed else ("records", "sources"):
        start, found = f"{folder}/", array("q")
        try:
            for names, regular in _names(store, folder):
                found.extend(map(hash, map(start.__add__, names)))
                are_regular = are_regular and regular
        except FaultError as fault:
            faults.append(fault)
            continue
        hashes[folder] = found
    return Folders(hashes=hashes, faults=tuple(faults), are_regular=are_regular)


def unreferenced(store: ReadableStore, folders: Folders, tally: Tally, *, is_closed: bool) -> Iterator[Finding]:
    """Yield a finding for each file that the tally does not account for.

    In an article store only records and sources are looked at: other files may stand beside them, as the article's own
    checker does. A folder that cannot be listed is an error, since what is in it stays unknown. Where something could
    not be read, what it names is unknown too: then no file below these folders is said to be superfluous, or a lost
    record would have its predecessors thrown after it.
    """
    named = frozenset(tally.named)
    yield from map(finding_of, folders.faults)
    for folder, hashes in folders.hashes.items():
        if not tally.is_cut and not named.issuperset(hashes):
            yield from _odd(store, f"{folder}/", named)
    if is_closed:
        yield from _top(store)


def _odd(store: ReadableStore, start: str, named: frozenset[int]) -> Iterator[Finding]:
    """List a folder once more, for the names; one that has gone meanwhile was a commit's and is no finding."""
    try:
        names = [name for some, _ in _names(store, start[:-1]) for name in some if hash(start + name) not in named]
    except FaultError as fault:
        yield finding_of(fault)
        return
    odd = sorted(name for name in names if not is_temporary(name))
    yield from (Finding(code="STO007", place=start + name) for name in odd)


def _names(store: ReadableStore, folder: str) -> Iterator[tuple[list[str], bool]]:
    """Yield the last steps of the names in a folder, some at a time, and whether each is that of a regular file."""
    if isinstance(store, ReadsFolders):
        return store.listing(folder)
    return iter([([name.rpartition("/")[2] for name in store.list(folder)], True)])


def _top(store: ReadableStore) -> Iterator[Finding]:
    for name in store.list(""):
        if name not in KNOWN and not is_temporary(name):
            yield Finding(code="STO007", place=name)


def is_temporary(name: str) -> bool:
    """Whether a name is that of a writer's own file (``stores.directory_writer``), or of one that doctor put aside.

    Nothing reads such a file, and the next writer or ``gc`` collects it.
    """
    leaf = name.rpartition("/")[2]
    return leaf.startswith((".new-", ".damaged-")) or (leaf.startswith(".") and not leaf.endswith(".json"))
