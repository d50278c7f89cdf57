"""The writing verbs of the library, bound to a memory. ``Memory`` has each under the same name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence

from upheld.compose.accepted import accepted_root
from upheld.compose.keeping import history_of, keep_out_of_repository
from upheld.compose.person import writer_name
from upheld.compose.routes import after_commit
from upheld.compose.writing import agreed, base_of, history_for, nonce, perform, recover_for, secret_of, writer_for
from upheld.errors import FaultError, NoKeyError, StorageError, UsageError
from upheld.model.written import FileChange, Written
from upheld.policy.windows import choose, usual
from upheld.services.base import Base
from upheld.services.correct import plan_correct, served
from upheld.services.prepared import Prepared
from upheld.services.versions import Draft
from upheld.services.wording import check_text, check_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory
    from upheld.model.chain import Chain
    from upheld.model.finding import Finding
    from upheld.model.record import Record
    from upheld.model.reports import Collected, Comparison, Diagnosis, Due, Review
    from upheld.model.trigger_edit import TriggerEdit
    from upheld.ports.person import Ask
    from upheld.services.commit import Writer
    from upheld.stores.keyrings import Found


_SHARED_HISTORY = "not reached: the history that Upheld keeps outside the store, since a remote shares it"
_NEXT = "next: `upheld remember KEY 'One whole sentence.' --when 'Before ...' --because '...'`"


class Window:
    """When a version is to be reviewed and when it expires, as the caller says it."""

    def __init__(self, volatility: str | None, review_on: str | None, expires_on: str | None) -> None:
        self._given = (volatility, review_on, expires_on)

    def days(self, today: str, old: Record | None = None) -> tuple[str, str]:
        """Return both days; where nothing is said, as long as ``old`` had, else ``normal``."""
        volatility, review_on, expires_on = self._given
        was = usual(old.last_verified, old.review_on, old.expires_on) if old is not None else None
        return choose(today, volatility=volatility, review_on=review_on, expires_on=expires_on, usual=was)


def init(
    memory: Memory,
    *,
    passphrase: bool,
    automation: tuple[str, ...],
    accept: tuple[str, ...],
    dry_run: bool,
    ask: Ask | None,
) -> Written:
    """See ``Memory.init``."""
    from upheld.compose import sealing
    from upheld.services.init import check_place, first_version
    from upheld.services.seal_store import check_automation
    from upheld.wire.index import PLACE

    check_automation(automation)
    if os.path.islink(memory.path) or (os.path.lexists(memory.path) and not os.path.isdir(memory.path)):
        raise UsageError(f"{memory.path} is there and is no folder", help="name another place: `upheld init DIR`")
    if os.path.isdir(memory.path):
        with writer_for(memory, "init", ask, dry_run=True) as writer:
            check_place(writer)
    _, index, files = first_version(_nowhere(memory), secrets.token_hex(16))
    changes = tuple(FileChange(was=None, name=n, before=b"", after=d) for n, d in sorted(files.items()))
    changes += (FileChange(was=None, name=PLACE, before=b"", after=index),)
    notes = (f"the store lies in {memory.path}", sealing.key_note(memory.key, passphrase=passphrase))
    planned = Written(outcome="planned", verb="init", key="", version=1, changes=changes, notes=notes)
    if dry_run:
        return planned
    agreed(ask, planned)
    found = sealing.key_to_start_with(memory.key, secret_of(ask), passphrase=passphrase)
    by = writer_name(os.environ, os.path.dirname(memory.path))
    after = (history_of(memory.path).record, after_commit(memory.path))
    done = sealing.init_sealed(memory.path, found, by=by, automation=automation, after=after)
    kept_out = keep_out_of_repository(memory.path)
    silent = silent_key(memory.path, found, accept)
    return planned.replace(
        outcome="written",
        version=done.version,
        index_sha256=done.index_sha256,
        warning=done.warning,
        notes=(
            *planned.notes,
            *([kept_out] if kept_out else []),
            *(f"{finding.code}: {finding.entry.what}; {finding.help}" for finding in silent),
            _NEXT,
        ),
    )


def silent_key(path: str, found: Found, accepted: tuple[str, ...] = ()) -> tuple[Finding, ...]:
    """Try whether the sealing key signs with nobody there; if so, every recall mentions it until it is accepted.

    Args:
        path: the store.
        found: the key.
        accepted: codes that the person accepts by name; they are not returned.
    """
    from upheld.compose.trusting import gate_at, probed
    from upheld.services.trust_accept import accept_codes

    findings = tuple(finding for attempt in probed(path, found) for finding in attempt.findings)
    if not set(accepted) & {finding.code for finding in findings}:
        return findings
    with gate_at(path) as gate:
        accept_codes(gate, accepted)
    return tuple(finding for finding in findings if finding.code not in accepted)


def _nowhere(memory: Memory) -> Writer:
    """A writer whose store holds nothing and is nowhere, to work out what a first version would be."""
    import time

    from upheld.compose.clock import instant, today
    from upheld.compose.person import writer_name
    from upheld.services.commit import Writer
    from upheld.services.snapshot import Admission
    from upheld.stores.nowhere import Nowhere

    above = os.path.dirname(memory.path)
    return Writer(
        store=Nowhere(memory.path),
        admit=lambda data, index: Admission(sealed=False),
        sealer=None,
        today=today(),
        instant=instant,
        monotonic=time.monotonic,
        by=writer_name(os.environ, above if os.path.isdir(above) else "."),
    )


def remember(
    memory: Memory,
    key: str,
    text: str | bytes | None,
    *,
    when: str,
    because: str,
    owner: str | None,
    source: str | None,
    window: Window,
    trigger: TriggerEdit | None,
    dry_run: bool,
    ask: Ask | None,
) -> Written:
    """See ``Memory.remember``."""
    from upheld.compose.person import writer_name
    from upheld.services.remember import check_new_key, plan_remember
    from upheld.services.triggers import also_added

    check_words(when=when, because=because, owner=owner)

    def prepare(base: Base) -> Prepared:
        check_new_key(base, key)
        data, bound = _given_text(memory, base, text, source)
        check_text(key, data, base.today)
        review_on, expires_on = window.days(base.today)
        draft = Draft(
            key=key,
            text=data,
            because=because,
            owner=owner or writer_name(os.environ, os.path.dirname(memory.path)),
            review_on=review_on,
            expires_on=expires_on,
            bound_source=bound,
        )
        plan = plan_remember(draft, read_when=when, trigger=None, nonce=nonce())
        return Prepared(plan=plan if trigger is None else also_added(plan, key, trigger), key=key)

    return perform(memory, "remember", prepare, dry_run=dry_run, ask=ask)


def check_new(memory: Memory, key: str) -> None:
    """See ``Memory.check_new``."""
    from upheld.services.remember import check_new_key

    with base_of(memory, "remember") as base:
        check_new_key(base, key)


def correct(
    memory: Memory,
    key: str,
    text: str | bytes | None,
    *,
    because: str,
    owner: str | None,
    source: str | None,
    unbind: bool,
    base_sha256: str | None,
    window: Window,
    trigger: TriggerEdit | None,
    dry_run: bool,
    ask: Ask | None,
) -> Written:
    """See ``Memory.correct``."""
    from upheld.services.triggers import with_added

    check_words(because=because, owner=owner)
    recover = recover_for(memory)

    def prepare(base: Base) -> Prepared:
        chain = base.current(key)
        _, old = served(chain)
        data, bound = _corrected_text(memory, base, chain, text, source, unbind)
        check_text(key, data, base.today)
        if data == _encoded(old, chain) and bound == old.bound_source:
            raise UsageError(
                f"`{key}` says this already",
                help=f"if it was checked against reality, `upheld review {key} --confirm --evidence '...'`; "
                "if its source was damaged, restore the file",
            )
        review_on, expires_on = window.days(base.today, old)
        draft = Draft(
            key=key,
            text=data,
            because=because,
            owner=owner or old.owner,
            review_on=review_on,
            expires_on=expires_on,
            bound_source=bound,
        )
        plan = plan_correct(draft, base_sha256=base_sha256 or old.sha256, nonce=nonce(), recover=recover)
        if trigger is not None:
            plan = with_added(plan, key, trigger)
        return Prepared(plan=plan, key=key, notes=_siblings(memory, base, chain))

    return perform(memory, "correct", prepare, dry_run=dry_run, ask=ask)


def _encoded(old: Record, chain: Chain) -> bytes | None:
    """Return the text that was verified, where it is still at hand."""
    source = chain.current.source
    return source.data if source is not None and source.sha256 == old.source_sha256 else None


def _given_text(memory: Memory, base: Base, text: str | bytes | None, source: str | None) -> tuple[bytes, str | None]:
    if (text is None) == (source is None):
        raise UsageError("one text is wanted", help="give a text, or a file of the repository with --source")
    if source is not None:
        name = bound_name(memory, source)
        return _read_bound(base, name), name
    assert text is not None
    return (text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text), None


def _corrected_text(
    memory: Memory, base: Base, chain: Chain, text: str | bytes | None, source: str | None, unbind: bool
) -> tuple[bytes, str | None]:
    """Where the new text comes from: what was given, else what the source that owns it holds now."""
    from upheld.services.review import live_text

    _, old = served(chain)
    if text is not None or source is not None:
        if text is not None and old.bound_source is not None and not unbind:
            raise UsageError(
                f"`{chain.key}` is owned by {old.bound_source}",
                help=f"change that file and run `upheld correct {chain.key}` without a text, or give --unbind",
            )
        return _given_text(memory, base, text, source)
    bound = None if unbind else old.bound_source
    if bound is not None:
        return _read_bound(base, bound), bound
    data = live_text(chain)
    if data is None:
        raise UsageError(f"the source of `{chain.key}` is gone, so a text is wanted", help="give one, or --source FILE")
    return data, None


def _read_bound(base: Base, name: str) -> bytes:
    from upheld.checks.finding_of import finding_of
    from upheld.checks.sources import MAX_BYTES

    try:
        return base.store.read_bound(name, MAX_BYTES)
    except FaultError as fault:
        base.refuse("", [finding_of(fault)])
        raise


def bound_name(memory: Memory, source: str) -> str:
    """Return a file of the repository by the name that a record binds: relative to the repository, forward slashes.

    Raises:
        UsageError: it lies outside the repository, or inside the store.
    """
    from upheld.stores.directory import repository_of

    root = repository_of(memory.path)
    path = os.path.join(os.path.realpath(os.path.dirname(source) or "."), os.path.basename(source))
    name = os.path.relpath(path, root).replace(os.sep, "/")
    store = os.path.relpath(os.path.realpath(memory.path), root).replace(os.sep, "/")
    if name.startswith("../") or name == ".." or os.path.isabs(name):
        raise UsageError(f"{source} is not in the repository of this store", help=f"name a file below {root}")
    if name == store or name.startswith(f"{store}/"):
        raise UsageError(f"{source} is a file of the store itself", help="name a file of your repository")
    return name


def _siblings(memory: Memory, base: Base, chain: Chain) -> tuple[str, ...]:
    """Name other keys that say nearly what this one said."""
    from upheld.compose.judging import neighbours
    from upheld.policy.siblings import siblings

    source = chain.current.source
    if source is None or source.data is None:
        return ()
    text = source.data.decode("utf-8", "replace")
    around = neighbours(base, memory.path, chain.key, text)
    found = siblings(text, [(one.key, one.text) for one in around if one.key != chain.key])
    return tuple(f"says nearly the same and may need the same correction: {key}" for key in found)


def review(
    memory: Memory,
    key: str,
    *,
    confirm: bool,
    evidence: str | None,
    reviewer: str | None,
    window: Window,
    dry_run: bool,
    ask: Ask | None,
) -> Review | Written:
    """See ``Memory.review``."""
    from upheld.services.review import confirmed
    from upheld.services.review import review as look

    if not confirm:
        with base_of(memory, "review") as base:
            return look(base, key, recover_for(memory))
    if evidence is None:
        raise UsageError("a confirmation needs evidence", help="what was it checked against? --evidence '...'")
    from upheld.compose.person import writer_name

    check_words(evidence=evidence, reviewer=reviewer)
    by = reviewer or writer_name(os.environ, os.path.dirname(memory.path))

    def prepare(base: Base) -> Prepared:
        _, old = served(base.current(key))
        review_on, expires_on = window.days(base.today, old)
        draft = confirmed(base, key, evidence=evidence, reviewer=by, review_on=review_on, expires_on=expires_on)
        plan = plan_correct(draft, base_sha256=old.sha256, nonce=nonce(), verb="review")
        return Prepared(plan=plan, key=key)

    return perform(memory, "review", prepare, dry_run=dry_run, ask=ask)


def retire(memory: Memory, key: str, *, because: str, owner: str | None, dry_run: bool, ask: Ask | None) -> Written:
    """See ``Memory.retire``."""
    from upheld.services.relations import no_longer_named
    from upheld.services.retire import plan_retire

    check_words(because=because, owner=owner)

    def prepare(base: Base) -> Prepared:
        _, old = served(base.current(key))
        plan = plan_retire(
            key, because=because, base_sha256=old.sha256, nonce=nonce(), owner=owner, recover=recover_for(memory)
        )
        return Prepared(plan=no_longer_named(plan, key), key=key)

    return perform(memory, "retire", prepare, dry_run=dry_run, ask=ask)


def restore(
    memory: Memory,
    key: str,
    *,
    to: str,
    because: str,
    owner: str | None,
    unbind: bool,
    window: Window,
    dry_run: bool,
    ask: Ask | None,
) -> Written:
    """See ``Memory.restore``."""
    from upheld.services.restore import chain_to_restore, plan_unretire, wanted_version

    check_words(because=because, owner=owner)
    recover = recover_for(memory)

    def prepare(base: Base) -> Prepared:
        chain = chain_to_restore(base, key)
        record, text = wanted_version(base, chain, to, recover)
        check_text(key, text, base.today)
        now = chain.current.record
        assert now is not None
        review_on, expires_on = window.days(base.today, record)
        draft = Draft(
            key=key,
            text=text,
            because=because,
            owner=owner or now.owner,
            review_on=review_on,
            expires_on=expires_on,
            bound_source=_still_bound(base, chain, record, text, unbind=unbind),
        )
        if chain.is_retired:
            return Prepared(plan=plan_unretire(draft, base_sha256=now.sha256, nonce=nonce()), key=key)
        plan = plan_correct(draft, base_sha256=now.sha256, nonce=nonce(), verb="restore", recover=recover)
        return Prepared(plan=plan, key=key)

    return perform(memory, "restore", prepare, dry_run=dry_run, ask=ask)


def _still_bound(base: Base, chain: Chain, record: Record, text: bytes, *, unbind: bool) -> str | None:
    """A bound file must hold the restored text already: nothing outside the store is written."""
    now = chain.current.record
    bound = record.bound_source if chain.is_retired or now is None else now.bound_source
    if bound is None or unbind:
        return None
    try:
        live = base.store.read_bound(bound, len(text) + 1)
    except FaultError:
        live = b""
    if live != text:
        raise UsageError(
            f"`{chain.key}` is owned by {bound}, which does not hold that text",
            help=f"put the text into {bound} first, or give --unbind to keep it in the store from now on",
        )
    return bound


def rename(memory: Memory, key: str, new: str, *, because: str, dry_run: bool, ask: Ask | None) -> Written:
    """See ``Memory.rename``."""
    from upheld.services.relations import no_longer_named
    from upheld.services.rename import plan_rename

    check_words(because=because)

    def prepare(base: Base) -> Prepared:
        _, old = served(base.current(key))
        plan = plan_rename(key, new, because=because, base_sha256=old.sha256, nonce=nonce())
        return Prepared(plan=no_longer_named(plan, key, new), key=new)

    return perform(memory, "rename", prepare, dry_run=dry_run, ask=ask)


def redact(
    memory: Memory, key: str, versions: Sequence[str], *, with_reasons: bool, dry_run: bool, ask: Ask | None
) -> Written:
    """See ``Memory.redact``."""
    from upheld.services.redact import prepare_redact

    if not versions:
        raise UsageError("which version is to be redacted?", help="--version V, as `upheld history` shows them")
    history = history_of(memory.path)
    reached = history.can_purge()
    note = "gone too, from the history that Upheld keeps outside the store" if reached else _SHARED_HISTORY
    hidden: set[str] = set()

    def prepare(base: Base) -> Prepared:
        prepared = prepare_redact(base, key, versions, with_reasons=with_reasons)
        hidden.update(prepared.hidden)
        return prepared.replace(notes=(note, *prepared.notes))

    written = perform(memory, "redact", prepare, dry_run=dry_run, ask=ask)
    if not reached or dry_run:
        return written
    try:
        history.purge(hidden)
    except StorageError as error:
        return written.replace(warning=f"the text is still in {history.location}: {error.message}")
    return written


def diff(memory: Memory, key: str, old: str | None, new: str | None) -> Comparison:
    """See ``Memory.diff``."""
    from upheld.services.diff import diff as compare

    with base_of(memory, "diff") as base:
        return compare(base, key, old, new, recover_for(memory))


def due(memory: Memory, *, within: int) -> Due:
    """See ``Memory.due``."""
    from upheld.compose.clock import day_or_today
    from upheld.services.due import due as look

    as_of, _ = day_or_today(memory.as_of)
    with base_of(memory.replace(as_of=None), "due") as base:
        return look(Base(base.store, base.index, as_of), within=within)


def gc(memory: Memory, *, dry_run: bool, ask: Ask | None) -> Collected:
    """See ``Memory.gc``."""
    from upheld.services.gc import gc as collect

    with writer_for(memory, "gc", ask, dry_run=True) as writer:
        found = collect(writer, dry_run=True)
        if dry_run or not found.removed:
            return found.replace(is_dry=dry_run)
        changes = tuple(FileChange(was=n, name=None, before=b"", after=b"", is_hidden=True) for n in found.removed)
        agreed(ask, Written(outcome="planned", verb="gc", key="", version=0, changes=changes))
        return collect(writer)


def doctor(memory: Memory, *, fix: bool, ask: Ask | None) -> Diagnosis:
    """See ``Memory.doctor``."""
    from upheld.compose.returning import returned
    from upheld.services.doctor import doctor as examine
    from upheld.stores.permissions import writable_by_others

    back = returned(memory, fix=fix, ask=ask)
    if back is not None and not back.is_fixed:
        return back
    with writer_for(memory, "doctor", ask, dry_run=True) as writer:
        history, others = history_for(memory), writable_by_others(memory.path)
        found = examine(writer, history, others, fix=False)
        silent = _silent_keys(memory)
        found = found.replace(findings=_with_silent(found.findings, silent))
        if back is not None:
            found = found.replace(mends=(*back.mends, *found.mends), is_fixed=fix)
        if not fix or all(mend.done for mend in found.mends):
            return found
        changes = tuple(
            FileChange(was=m.place, name=m.place, before=b"", after=b"", is_hidden=True) for m in found.mends
        )
        notes = tuple(f"{mend.place}: {mend.what}" for mend in found.mends)
        agreed(ask, Written(outcome="planned", verb="doctor", key="", version=0, changes=changes, notes=notes))
        fixed = examine(writer, history, others, fix=True)
        mends = (*(back.mends if back is not None else ()), *fixed.mends)
        return fixed.replace(mends=mends, findings=_with_silent(fixed.findings, silent))


def _with_silent(findings: tuple[Finding, ...], silent: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Add what was just found of the keys; it takes the place of what was remembered of them."""
    codes = {finding.code for finding in silent}
    return (*(finding for finding in findings if finding.code not in codes), *silent)


def _silent_keys(memory: Memory) -> tuple[Finding, ...]:
    """Probe the key that would seal here, where there is one."""
    from upheld.compose import sealing
    from upheld.compose.gate import gate_for
    from upheld.stores.directory import DirectoryStore
    from upheld.stores.keyrings import find_key

    with DirectoryStore(memory.path) as store:
        gate = gate_for(store, memory.path)
        state = gate.state.load()
        if state is None or not state.is_pinned:
            return ()
        try:
            listed = [key.public_key.key_id for key in accepted_root(gate).usable_keys]
            found = find_key(sealing.key_sources(memory.key, lambda path: None), listed)
            silent = silent_key(memory.path, found)
            return () if set(state.warnings) <= set(state.accepted) and state.warnings else silent
        except (FaultError, NoKeyError, StorageError, UsageError):
            return ()  # no key of this user's seals here, so none of them can be misused
