"""Files that nothing names. They are never served; somebody put them there or a commit was cut short (STO007)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.ports.store import ReadsFolders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Tally

NAMED_FOLDERS = ("index", "records", "sources", "triggers")
"""Folders in which every file must be named by the index, a record or a pointer."""

KNOWN = frozenset(
    [
        "index.json",
        ".gitattributes",
        "README.md",
        ".lock",
        ".attempt",
        "seals",
        "trust",
        "log",
        "proposals",
        *NAMED_FOLDERS,
    ]
)
"""What may stand at the top of a closed store. What is in seals, trust and log is theirs to account for."""


def unreferenced(store: ReadableStore, tally: Tally, *, is_closed: bool) -> Iterator[Finding]:
    """Yield a finding for each file that the tally does not account for.

    In an article store only records and sources are looked at: other files may stand beside them, as the article's own
    checker does. A folder that cannot be listed is an error, since what is in it stays unknown. Where something could
    not be read, what it names is unknown too: then no file below these folders is said to be superfluous, or a lost
    record would have its predecessors thrown after it.
    """
    named = frozenset(tally.named)
    for folder in NAMED_FOLDERS if is_closed else ("records", "sources"):
        try:
            names = _names(store, folder)
        except FaultError as fault:
            yield finding_of(fault)
            continue
        start = f"{folder}/"
        odd = [name for name in names if hash(start + name) not in named] if not tally.is_cut else []
        yield from (Finding(code="STO007", place=start + name) for name in sorted(odd) if not is_temporary(name))
    if is_closed:
        yield from _top(store)


def _names(store: ReadableStore, folder: str) -> list[str]:
    """Return the last steps of the names in a folder, in any order."""
    if isinstance(store, ReadsFolders):
        return store.names(folder)
    return [name.rpartition("/")[2] for name in store.list(folder)]


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
