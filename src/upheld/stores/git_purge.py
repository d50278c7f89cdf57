"""Take files out of every commit of a bare repository of ours, and their bytes off the disk.

The commits are written anew by ``git fast-export`` and ``git fast-import`` with the rows left out that bring the files
in, so the number of processes does not grow with the history. Dates and messages stay; ids change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from upheld.stores.git_plumbing import Git
from upheld.stores.git_spread import spread

QUARANTINE = "proposals/"
_MADE = "refs/upheld/purged"
_SECONDS = 120.0


def purge(git: Git, ref: str, names: Collection[str]) -> None:
    """Leave some files out of all history.

    Args:
        git: the repository. Nothing but ``ref`` may lead to its commits, or the bytes stay.
        ref: the branch to write anew.
        names: the files. Proposals go with them: they may quote the same words, and nothing ever needs them back.

    Raises:
        StorageError: git failed, or the branch moved meanwhile. The branch is then as it was, or as it has become.
    """
    before = git.run("rev-parse", "--verify", ref).strip().decode("ascii")
    gone = {place.encode() for name in names for place in (name, spread(name))}
    asked = ("fast-export", "--no-data", f"--refspec={ref}:{_MADE}", ref)
    exported = git.run("-c", "core.quotePath=false", *asked, seconds=_SECONDS)
    git.run("fast-import", "--quiet", "--force", data=b"".join(_without(exported, gone)), seconds=_SECONDS)
    made = git.run("rev-parse", "--verify", _MADE).strip().decode("ascii")
    git.run("update-ref", "-d", _MADE)
    git.run("update-ref", ref, made, before)
    git.run("repack", "-a", "-d", "--quiet", seconds=_SECONDS)
    git.run("prune", "--expire=now", seconds=_SECONDS)


def _without(stream: bytes, names: Collection[bytes]) -> Iterator[bytes]:
    """Yield an export without the rows about some files. What follows ``data`` is counted, not read as rows."""
    at = 0
    while at < len(stream):
        end = stream.find(b"\n", at) + 1 or len(stream)
        row = stream[at:end]
        if row.startswith(b"data "):
            end += int(row[5:])
            yield stream[at:end]
        elif not _is_about(row, names):
            yield row
        at = end


def _is_about(row: bytes, names: Collection[bytes]) -> bool:
    words = row.rstrip(b"\n").split(b" ", 3)
    if words[0] == b"M" and len(words) == 4:
        name = words[3]
    elif words[0] == b"D":
        name = row.rstrip(b"\n")[2:]
    else:
        return False
    return name in names or name.startswith(QUARANTINE.encode())
