"""doctor: everything that is wrong with a store, and what mends it. Nothing is deleted on an integrity failure.

What ``--fix`` does is safe without anybody deciding: it writes a lost ``.gitattributes``, and puts bytes of the
digest that the live index asks for back where they are missing or damaged, and the seals, roots and events that were
recorded with that very index; damaged bytes are kept beside them.
"""

from __future__ import annotations

from collections.abc import Iterator

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError, RefusedError
from upheld.model.finding import Finding, worst_first
from upheld.model.reports import Diagnosis, Mend
from upheld.policy.collide import collisions
from upheld.ports.history import History
from upheld.services.base import Base
from upheld.services.commit import LOCK_SECONDS, Writer, load
from upheld.services.every_key import all_keys, entries
from upheld.services.init import ATTRIBUTES
from upheld.services.leaves import Start, below, opened
from upheld.services.verify import verify
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex

_ATTRIBUTES = ".gitattributes"
_BESIDE = ("seals", "trust", "log")
_ROUNDS = 80
"""More than there are levels: 64 digits lead to a leaf, and a record and a source hang below."""
_READ_LIMIT = 4 * 1024 * 1024


class _Cure:
    """One file that can be put right, and its bytes."""

    def __init__(self, name: str, data: bytes, what: str) -> None:
        self.name, self.data, self.what = name, data, what


def doctor(writer: Writer, history: History | None, others: tuple[Finding, ...], *, fix: bool) -> Diagnosis:
    """Examine a store, and with ``fix`` mend what can be mended safely.

    Args:
        writer: its store, admission and day are used; nothing is committed.
        history: where lost bytes may come from; None where none is kept.
        others: what was found outside the store's own files (permissions of the folder).
        fix: mend; otherwise only say what would be done.

    Raises:
        BusyError: another writer holds the store.
        StorageError: mending failed.
    """
    mends: list[Mend] = []
    if fix:
        with writer.store.lock(LOCK_SECONDS):
            # What one cure uncovers (a node of the index, then the records that it names) the next round finds.
            for _ in range(_ROUNDS):
                cures = list(_cures(writer, history))
                for cure in cures:
                    writer.store.mend(cure.name, cure.data)
                    mends.append(Mend(what=cure.what, place=cure.name, done=True))
                if not cures:
                    break
    else:
        mends = [Mend(what=cure.what, place=cure.name, done=False) for cure in _cures(writer, history)]
    findings = (*_findings(writer), *others)
    without = () if history is not None else ("history: none is kept for this store, so no lost bytes can come back",)
    return Diagnosis(findings=worst_first(findings), mends=tuple(mends), not_checked=without, is_fixed=fix)


def _findings(writer: Writer) -> Iterator[Finding]:
    yield from verify(writer.store, as_of=writer.today, today=writer.today, admit=writer.admit).findings
    if not _has_attributes(writer):
        yield Finding(code="STO008", place=_ATTRIBUTES)
    try:
        base = load(writer)
    except RefusedError:
        return
    for folder in ("records", "sources", "triggers"):
        for one, other in collisions(writer.store.list(folder)):
            yield Finding(code="STO010", place=one, facts=(("also", other),))
    for one, other in collisions(all_keys(base)):
        yield Finding(code="STO010", place=wire.PLACE, facts=(("key", one), ("also", other)))


def _has_attributes(writer: Writer) -> bool:
    try:
        data = writer.store.read(_ATTRIBUTES, _READ_LIMIT)
    except FaultError:
        return False
    return any(line.split() == ["*", "-text"] for line in data.decode("utf-8", "replace").splitlines())


def _cures(writer: Writer, history: History | None) -> Iterator[_Cure]:
    if not _exists(writer, _ATTRIBUTES):
        yield _Cure(_ATTRIBUTES, ATTRIBUTES, "write the .gitattributes that keeps git from changing bytes")
    if history is None:
        return
    yield from _beside(writer, history)
    try:
        base = load(writer)
    except RefusedError:
        yield from _index(writer, history)
        return
    for name, digest in sorted(set(_damaged(base))):
        data = history.read(name, digest)
        if data is not None and sha256_hex(data) == digest:
            yield _Cure(name, data, "put the bytes back that the index asks for, from history")


def _index(writer: Writer, history: History) -> Iterator[_Cure]:
    """An index that is missing or is no index gives way to the newest one of history, if that is admitted."""
    try:
        wire.decode(writer.store.read(wire.PLACE, wire.MAX_BYTES))
    except FaultError:
        pass
    else:
        return  # it can be read and was refused: a person decides
    for kept in history.versions()[:1]:
        data = history.read(wire.PLACE, kept.index_sha256)
        is_whole = data is not None and sha256_hex(data) == kept.index_sha256
        if data is not None and is_whole and not writer.admit(data, wire.decode(data)).refusals:
            yield _Cure(wire.PLACE, data, f"put the index of version {kept.version} back, the newest in history")


def _beside(writer: Writer, history: History) -> Iterator[_Cure]:
    """What the index was sealed with, as history has it for this very index; no pointer asks for it by digest."""
    try:
        digest = sha256_hex(writer.store.read(wire.PLACE, wire.MAX_BYTES))
    except FaultError:
        return
    for name, data in sorted(history.beside(digest, _BESIDE).items()):
        if not _holds(writer, name, data):
            yield _Cure(name, data, "put the bytes back that were recorded with this index, from history")


def _holds(writer: Writer, name: str, data: bytes) -> bool:
    try:
        return writer.store.read(name, _READ_LIMIT) == data
    except FaultError:
        return False


def _damaged(base: Base) -> Iterator[tuple[str, str]]:
    """Yield name and digest of every file that the index asks for and does not find as it should be."""
    waiting = [Start(node=base.index.node)]
    while waiting:
        start = waiting.pop()
        step = opened(base.store, start)
        if step.node is None or step.findings:
            yield step.place, getattr(start.node, "sha256", "")
        waiting += below(step)
    for entry, _ in entries(base):
        if entry is None:
            continue
        for member in base.chain(entry).members:
            record = member.record
            if member.expected_sha256 and (record is None or record.sha256 != member.expected_sha256):
                yield member.place, member.expected_sha256
            elif record is not None and member.source is not None and member.source.sha256 != record.source_sha256:
                yield record.durable_source, record.source_sha256


def _exists(writer: Writer, name: str) -> bool:
    try:
        writer.store.read(name, _READ_LIMIT)
    except FaultError as fault:
        return finding_of(fault).code != "STO001"
    return True
