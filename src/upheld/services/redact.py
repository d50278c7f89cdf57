"""redact: a text that should never have got in goes out: its chain is rewritten over a tombstone, in one commit.

``supersedes_sha256`` binds each record to the one before, so every digest from the redacted version up to the newest is
recomputed. What is named in ``unreachable`` stays, and somebody has to see to it elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from upheld.checks import check_chain
from upheld.errors import ConflictError, FaultError, UsageError
from upheld.model.chain import Chain
from upheld.model.change import Change, Event
from upheld.model.index import Pointer, Retired
from upheld.model.names import short
from upheld.model.record import Record
from upheld.services.base import Base, is_reviewable
from upheld.services.chains import Rewritten, find_version, number_of, records, rewritten, text_of
from upheld.services.correct import nothing
from upheld.services.prepared import Prepared
from upheld.services.versions import source_name
from upheld.wire.digest import sha256_hex
from upheld.wire.strictjson_fault import strings

TOMBSTONE = """# Redacted

Do not act on this version of `{key}`: its text was redacted on {day} and is no longer in this store.
"""
UNREACHABLE = (
    "not reached: commits of git that hold the old files, here and in every clone",
    "not reached: backups, and snapshots of the disk",
    "not reached: receipts and transcripts of sessions that were served the text",
    "if it was a secret, change it: whoever read it has it",
)
_MAX_PROPOSAL = 1024 * 1024


class _Redaction:
    """What one redaction comes to, worked out from one base."""

    def __init__(self, base: Base, key: str, wanted: Sequence[str], *, with_reasons: bool) -> None:
        self.base = base
        self.entry = _entry(base, key)
        self.chain = base.chain(self.entry)
        _refuse_damage(base, self.chain)
        chosen = [find_version(self.chain, one) for one in wanted]
        self.chosen = [record.id for record in chosen]
        digests = {record.source_sha256 for record in chosen}
        self.hit = [record for record in records(self.chain) if record.source_sha256 in digests]
        self.text = TOMBSTONE.format(key=key, day=base.today).encode()
        _refuse_current(self.chain, self.hit)
        self.made = rewritten(self.chain, self._edits(with_reasons))
        self.gone = self._lines_that_go()

    def _edits(self, with_reasons: bool) -> dict[str, Mapping[str, object]]:
        digest = sha256_hex(self.text)
        edit = {
            "durable_source": source_name(self.chain.key, digest),
            "source_sha256": digest,
            "bound_source": None,
            "tombstone": "redacted",
        }
        day = f"redacted on {self.base.today}"
        reasons = {"change_reason": day, "evidence": day}
        return {
            record.id: {
                **edit,
                **{
                    name: value
                    for name, value in reasons.items()
                    if with_reasons and record.id in self.chosen and record.fields.get(name)
                },
            }
            for record in self.hit
        }

    def _lines_that_go(self) -> frozenset[str]:
        """Lines of the redacted texts that the newest version does not have: what this is done for is among them."""
        newest = records(self.chain)[0]
        kept = _lines(text_of(self.base.store, newest, nothing))
        return frozenset().union(*(_lines(text_of(self.base.store, r, nothing)) for r in self.hit)) - kept

    def proposals(self) -> tuple[str, ...]:
        """Proposals that hold any of those lines."""
        return tuple(name for name in self.base.store.list("proposals") if self._matches(name))

    def _matches(self, name: str) -> bool:
        try:
            data = self.base.store.read(name, _MAX_PROPOSAL)
        except FaultError:
            return False
        told = {line.strip() for text in strings(data) for line in text.splitlines()}
        return bool(told & self.gone)

    def also(self) -> list[str]:
        """Other versions of the key that hold one of those lines still."""
        left = [r for r in records(self.chain) if r not in self.hit]
        return [r.id for r in left if _lines(text_of(self.base.store, r, nothing)) & self.gone]

    def change(self, before: str) -> Change:
        top = self.made.records[0]
        moved = {"record_id": top.id, "target": top.place, "record_sha256": top.sha256}
        entry = {**self.entry.fields, **moved}
        is_current = isinstance(self.entry, Pointer)
        files = {**self.made.files, source_name(self.chain.key, sha256_hex(self.text)): self.text}
        return Change(
            events=(Event(verb="redact", key=self.chain.key, before=before, after=top.sha256),),
            files=files,
            entries={self.chain.key: entry} if is_current else {},
            retired={**({} if is_current else {self.chain.key: entry}), **_old_names(self.base, self.chain, self.made)},
            replaces=tuple(sorted({*self.made.replaces, *self.proposals()} - set(files))),
            bases={self.chain.key: before if is_current else None},
        )


def prepare_redact(base: Base, key: str, versions: Sequence[str], *, with_reasons: bool = False) -> Prepared:
    """Work out a redaction.

    Args:
        base: the store as it is.
        key: a current or retired key.
        versions: which; every other version with the same text goes with them.
        with_reasons: replace the ``change_reason`` and ``evidence`` of the named versions as well.

    Raises:
        UsageError: an unknown key or version, or one whose text still applies.
        RefusedError: the chain is damaged.
    """
    first = _Redaction(base, key, versions, with_reasons=with_reasons)
    before = first.entry.record_sha256
    ids = [record.id for record in first.hit]
    notes = [f"redacted: {', '.join(f'version {number_of(first.chain, one)} ({one})' for one in reversed(ids))}"]
    notes += [f"deleted with it: {name}" for name in first.proposals()]
    notes += [f"still holds a line of it: {one}; redact that as well if it is part of it" for one in first.also()]

    def plan(again: Base) -> Change:
        redaction = _Redaction(again, key, first.chosen, with_reasons=with_reasons)
        now = redaction.entry.record_sha256
        if now != before:
            raise ConflictError(
                f"`{key}` was changed meanwhile: you looked at {short(before)}, the store has {short(now)}",
                mine=before,
                theirs=now,
                help=f"look at `upheld history {key}`, then redact again",
            )
        return redaction.change(before)

    hidden = frozenset(record.durable_source for record in first.hit)
    if with_reasons:
        hidden |= {record.place for record in records(first.chain)}
    return Prepared(plan=plan, key=key, notes=(*notes, *UNREACHABLE), hidden=hidden | frozenset(first.proposals()))


def _entry(base: Base, key: str) -> Pointer | Retired:
    retired = base.retired(key)
    if retired is not None and retired.renamed_to is not None:
        raise UsageError(f"`{key}` goes by the name `{retired.renamed_to}` now", help="redact it under that name")
    entry = base.pointer(key) or retired
    if entry is None:
        raise base.unknown(key)
    return entry


def _refuse_damage(base: Base, chain: Chain) -> None:
    base.refuse(chain.key, [f for f in check_chain(chain, base.today) if not is_reviewable(f, chain)])


def _refuse_current(chain: Chain, hit: list[Record]) -> None:
    newest = records(chain)[0]
    if newest in hit:
        raise UsageError(
            f"{newest.id} is what `{chain.key}` says now",
            help=f"write the text without it first (`upheld correct {chain.key}`), or retire the key; then redact",
        )


def _old_names(base: Base, chain: Chain, made: Rewritten) -> dict[str, Mapping[str, object]]:
    """Retired entries of names that the key had before name records of this chain: they move along."""
    moved: dict[str, Mapping[str, object]] = {}
    by_id = {record.id: record for record in made.records}
    for name in {record.key for record in made.records} - {chain.key}:
        retired = base.retired(name) if name else None
        if name is None or retired is None or retired.record_id not in by_id:
            continue
        record = by_id[retired.record_id]
        if record.sha256 != retired.record_sha256:
            moved[name] = {**retired.fields, "target": record.place, "record_sha256": record.sha256}
    return moved


def _lines(data: bytes | None) -> frozenset[str]:
    text = "" if data is None else data.decode("utf-8", "replace")
    return frozenset(line.strip() for line in text.splitlines() if len(line.strip()) > 3)
