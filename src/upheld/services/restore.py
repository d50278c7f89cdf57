"""restore: an earlier text once more, as a new version; for a retired key, its pointer again."""

from __future__ import annotations

from collections.abc import Callable

from upheld.checks import check_chain
from upheld.errors import ConflictError, UsageError
from upheld.model.chain import Chain
from upheld.model.change import Change, Event
from upheld.model.index import Retired
from upheld.model.names import short
from upheld.model.record import Record
from upheld.services.base import Base
from upheld.services.chains import find_version, text_of
from upheld.services.correct import next_number
from upheld.services.remember import entry
from upheld.services.versions import Draft, carried, following

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.history import Recover


def chain_to_restore(base: Base, key: str) -> Chain:
    """Return the chain of a current or a retired key.

    Raises:
        UsageError: the key is unknown, or goes by another name now.
        RefusedError: the chain is damaged.
    """
    retired = base.retired(key)
    if retired is None:
        return base.current(key)
    if retired.renamed_to is not None:
        raise UsageError(
            f"`{key}` goes by the name `{retired.renamed_to}` now",
            help=f"restore a version of `{retired.renamed_to}`, or give it back its name: "
            f"`upheld rename {retired.renamed_to} {key}`",
        )
    chain = base.chain(retired)
    base.refuse(key, check_chain(chain, base.today))
    return chain


def wanted_version(base: Base, chain: Chain, wanted: str, recover: Recover) -> tuple[Record, bytes]:
    """Return the version that is meant, and its text.

    Raises:
        UsageError: there is no such version, it is a tombstone, its text is lost, or it is what applies already.
    """
    record = find_version(chain, wanted)
    tombstone = record.fields.get("tombstone")
    if tombstone is not None:
        raise UsageError(
            f"{record.id} holds no instruction: its text is {tombstone!s:.20}", help="restore another version"
        )
    text = text_of(base.store, record, recover)
    if text is None:
        raise UsageError(f"the text of {record.id} is lost", help="`upheld doctor` says what can be brought back")
    current = chain.current.record
    if not chain.is_retired and current is not None and current.source_sha256 == record.source_sha256:
        raise UsageError(f"{record.id} says what `{chain.key}` says already", help="there is nothing to restore")
    return record, text


def plan_unretire(draft: Draft, *, base_sha256: str, nonce: str) -> Callable[[Base], Change]:
    """Return the plan that brings a retired key back with the text of ``draft``.

    Args:
        draft: the version that is to apply.
        base_sha256: digest of the record that the retired entry names.
        nonce: four hexadecimal digits for the record's id.

    Raises:
        ConflictError: (by the plan) the key was changed meanwhile.
    """

    def plan(base: Base) -> Change:
        retired = base.retired(draft.key)
        if retired is None or retired.record_sha256 != base_sha256:
            raise _moved(draft.key, base_sha256, retired)
        chain = chain_to_restore(base, draft.key)
        old = chain.current.record
        assert old is not None
        version = following(draft, old, next_number(chain), today=base.today, nonce=nonce, keep=carried(old))
        fields = {name: value for name, value in retired.fields.items() if name != "renamed_to"}
        read_when = fields.get("read_when")
        return Change(
            events=(Event(verb="unretire", key=draft.key, before=old.sha256, after=version.record_sha256),),
            files=version.files,
            entries={
                draft.key: entry(draft.key, read_when if isinstance(read_when, str) else "", version, None, fields)
            },
            retired={draft.key: None},
            replaces=version.replaces,
            bases={draft.key: None},
        )

    return plan


def _moved(key: str, expected: str, now: Retired | None) -> ConflictError:
    return ConflictError(
        f"`{key}` was changed meanwhile: it was retired at {short(expected)}, "
        f"now it is {f'retired at {short(now.record_sha256)}' if now is not None else 'not retired any more'}",
        mine=expected,
        theirs=now.record_sha256 if now is not None else "",
        help=f"look at `upheld history {key}`, then decide again",
    )
