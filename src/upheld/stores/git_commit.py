"""Write one commit with one process: blobs, trees, the commit and the ref, through ``git fast-import``.

Bytes go in as they are: fast-import applies no filter and reads no attribute. It moves a ref only to a commit that
contains the ref's present one, in one transaction; so a commit whose parent is what we read is a compare-and-swap.
"""

from __future__ import annotations

import calendar
import time
from collections.abc import Iterable, Mapping

from upheld.errors import ConflictError, FaultError, StorageError
from upheld.model.value import Value
from upheld.stores.git_plumbing import LOCAL_SECONDS, Git, said
from upheld.stores.git_spread import spread
from upheld.wire import event as wire_event
from upheld.wire import index as wire_index
from upheld.wire.digest import sha256_hex

_WHO = "Upheld <upheld@invalid>"
_SUBJECT_LIMIT = 200
VERSION = "Version: "
INDEX = "Index: "


class Work(Value):
    """What a commit is to hold, as a difference from its parent.

    Attributes:
        ref: the ref to move.
        parent: the commit that it follows; None for a first one.
        files: new bytes by name. known: names that get a blob which the repository holds already, by object id.
        gone: names that the tree no longer holds.
        is_spread: growing folders are spread (``git_spread``), as a history keeps them; a check-out is no store then.
        message: the whole message.
        instant: when, ``YYYY-MM-DDThh:mm:ssZ``; from the index, so that equal versions make equal commits.
    """

    ref: str
    parent: str | None
    files: Mapping[str, bytes]
    known: Mapping[str, str] = {}
    gone: Iterable[str] = ()
    is_spread: bool = False
    message: bytes
    instant: str


def commit(git: Git, work: Work, *, seconds: float = LOCAL_SECONDS) -> str:
    """Make the commit, move the ref, and return the commit's id.

    Raises:
        ConflictError: the ref has moved meanwhile.
        StorageError: git failed; the ref is where it was.
    """
    outcome = git.attempt(
        "-c",
        "fastimport.unpackLimit=1",
        "fast-import",
        "--quiet",
        "--done",
        "--date-format=raw",
        data=_stream(work),
        seconds=seconds,
    )
    if outcome.code == 0:
        return outcome.output.decode("ascii").strip()
    if tip(git, work.ref) != work.parent:
        raise ConflictError(f"{work.ref} moved on while this was being written")
    raise StorageError(f"git could not write a commit: {said(outcome)}")


def tip(git: Git, ref: str) -> str | None:
    """Return the commit that a ref names, or None where there is no such ref.

    Raises:
        StorageError: git could not be asked.
    """
    if not git.exists:
        return None
    outcome = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    return outcome.output.decode("ascii").strip() if outcome.code == 0 else None


def set_ref(git: Git, ref: str, commit_id: str, expected: str | None) -> None:
    """Move a ref to any commit, if it still names what was expected (None: nothing).

    Raises:
        ConflictError: it does not.
    """
    outcome = git.attempt("update-ref", "--end-of-options", ref, commit_id, expected or "0" * len(commit_id))
    if outcome.code != 0:
        raise ConflictError(f"{ref} moved on: {said(outcome)}")


def message_of(index: bytes, files: Mapping[str, bytes]) -> bytes:
    """Say what a version did, from its new log events, and which version it is. No text of an instruction goes in."""
    done = []
    for name in sorted(files):
        if name.startswith("log/"):
            try:
                event = wire_event.decode(files[name], name).event
            except FaultError:
                continue
            done.append(f"{event.verb} {event.key}".strip())
    subject = ascii(", ".join(done))[1:-1][:_SUBJECT_LIMIT] or "record the store"
    return f"{subject}\n\n{VERSION}{_version(index)}\n{INDEX}{sha256_hex(index)}\n".encode()


def instant_of(index: bytes) -> str:
    """Return when an index was issued, as it says itself; empty where it does not."""
    try:
        return wire_index.decode(index).issued_at or ""
    except FaultError:
        return ""


def _version(index: bytes) -> str:
    try:
        version = wire_index.decode(index).version
    except FaultError:
        return "unreadable"
    return "none" if version is None else str(version)


def _stream(work: Work) -> bytes:
    parts = [
        b"feature done\n",
        f"commit {work.ref}\nmark :1\ncommitter {_WHO} {_seconds(work.instant)} +0000\n".encode(),
    ]
    parts.append(_data(work.message))
    if work.parent is not None:
        parts.append(f"from {work.parent}\n".encode())
    present = sorted({*work.files, *work.known})
    parts += [b"D " + _path(path) + b"\n" for path in _emptied(work, present)]
    for name in present:
        place = _path(spread(name) if work.is_spread else name)
        if name in work.files:
            parts += [b"M 100644 inline ", place, b"\n", _data(work.files[name])]
        else:
            parts += [b"M 100644 ", work.known[name].encode(), b" ", place, b"\n"]
    parts.append(b"\nget-mark :1\ndone\n")
    return b"".join(parts)


def _emptied(work: Work, present: list[str]) -> list[str]:
    """Return every path that must hold nothing: both places of what goes, and the other place of what is written."""
    gone = set(work.gone) - set(present)
    paths = {place for name in gone for place in (name, spread(name))}
    paths |= {name if work.is_spread else spread(name) for name in present if spread(name) != name}
    return sorted(paths)


def _data(data: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(data), data)


def _path(name: str) -> bytes:
    """Quote a path as fast-import wants it, so that no name can be taken for more than a name."""
    raw = name.encode("utf-8", "surrogateescape")
    return b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'


def _seconds(instant: str) -> int:
    try:
        return max(0, calendar.timegm(time.strptime(instant, "%Y-%m-%dT%H:%M:%SZ")))
    except ValueError:
        return 0
