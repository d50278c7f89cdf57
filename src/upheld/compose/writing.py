"""Bind a writing verb to a place, a person and a clock. Every verb that writes goes through ``perform``."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from upheld.compose.absent import demand_present
from upheld.compose.accepted import accepted_root
from upheld.compose.clock import instant, today
from upheld.compose.gate import gate_for
from upheld.compose.judging import judging, near_at
from upheld.compose.keeping import git_of, history_of
from upheld.compose.person import writer_name
from upheld.compose.routes import after_commit
from upheld.compose.sealing import key_sources, sealer_for
from upheld.errors import NoKeyError, UsageError
from upheld.model.answer import Refusal
from upheld.model.change import Committed
from upheld.model.finding import Finding
from upheld.model.written import Written
from upheld.ports.history import History
from upheld.ports.person import Ask
from upheld.services.admission import Gate
from upheld.services.admission_slow import remember_commit
from upheld.services.base import Base
from upheld.services.commit import Writer, commit, load
from upheld.services.lookup import Indexed
from upheld.services.prepared import Prepared
from upheld.services.preview import preview
from upheld.services.screening import NEAR_SECONDS, demand, screen_change
from upheld.stores.directory_writer import open_writable
from upheld.stores.keyring_sealer import KeyringSealer
from upheld.wire.root import Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory


@contextmanager
def writer_for(memory: Memory, verb: str, ask: Ask | None, *, dry_run: bool = False) -> Iterator[Writer]:
    """Open a store for one writing verb. The one place that says what a commit needs from outside.

    Args:
        memory: the store, and how its caller opened it.
        verb: the command.
        ask: the person; None where the call itself is their decision (the library).
        dry_run: nothing will be written, so nothing needs to be unlocked.

    Raises:
        NoStoreError: the folder is not there.
        RefusedError: RBK004, it is not there, and a store is pinned at the place.
        UsageError: the memory judges by another day than today.
    """
    if memory.as_of not in (None, today()):
        raise UsageError(f"`{verb}` cannot be done as of another day", help="leave out --as-of")
    demand_present(memory.path)
    store = open_writable(memory.path)
    near, started = None, time.monotonic()
    try:
        gate = gate_for(store, memory.path, unsealed=memory.unsealed, pin=memory.pin, remembers=not dry_run)
        near = near_at(gate.state.place)
        sealer, after = (None, ()) if dry_run else sealed(gate, memory, verb, ask)
        yield Writer(
            store=store,
            admit=gate.admit,
            sealer=sealer,
            today=today(),
            instant=instant,
            monotonic=time.monotonic,
            by=writer_name(os.environ, os.path.dirname(os.path.abspath(memory.path))),
            lookup=Indexed(near, lambda: time.monotonic() > started + NEAR_SECONDS),
            after=after,
        )
    finally:
        if near is not None:
            near.close()
        store.close()


def sealed(
    gate: Gate, memory: Memory, verb: str, ask: Ask | None
) -> tuple[KeyringSealer, tuple[Callable[[Committed], None], ...]]:
    """Unlock what seals, before any lock is taken, and say who hears of the commit.

    Raises:
        UsageError: the store has no seal; only `migrate` may write to it.
        RefusedError: nobody is asked, and the store's policy does not let this verb go without.
        NoKeyError: there is no key here that may seal, or the person declined.
    """
    root = pinned_root(gate)
    demand_person(root, verb, ask)
    sealer = sealer_for(gate, key_sources(memory.key, secret_of(ask)))
    return sealer, (
        # History comes first: should this process die here, the trusted state never names a version that is not kept.
        history_of(memory.path).record,
        lambda done: remember_commit(gate, done.index),
        after_commit(memory.path),
    )


def pinned_root(gate: Gate) -> Root:
    """Return the trust root of the store that is pinned here.

    Raises:
        UsageError: none is.
    """
    state = gate.state.load()
    if state is None or not state.is_pinned:
        raise UsageError(
            "this store has no seal that is trusted here, so nothing may be written to it",
            help="seal an unsealed store with `upheld migrate`; trust a sealed one with `upheld trust pin`",
        )
    return accepted_root(gate)


def demand_person(root: Root, verb: str, ask: Ask | None) -> None:
    """Insist that a person is asked, unless the trust root automates the verb.

    Raises:
        RefusedError: POL050.
    """
    if (ask is not None and ask.is_person) or verb in root.policy.automation:
        return
    facts = (("verb", verb), ("automated", ", ".join(root.policy.automation) or "none"))
    Refusal(key="", findings=(Finding(code="POL050", facts=facts),), as_of=today()).require()


def secret_of(ask: Ask | None) -> Callable[[str], str | None]:
    """Return what asks for a key's passphrase; nothing is known where nobody is asked."""
    if ask is None:
        return lambda path: None
    return lambda path: ask.secret(f"passphrase of {path}: ")


def history_for(memory: Memory) -> History | None:
    """Return what is kept of this store outside it; None where nothing is."""
    git = git_of(memory.path, os.environ)
    return history_of(memory.path) if git is not None and git.exists else None


def recover_for(memory: Memory) -> Callable[[str, str], bytes | None]:
    """Return what gives back bytes of the store's past."""
    history = history_for(memory)
    return history.read if history is not None else lambda name, sha256: None


def perform(
    memory: Memory,
    verb: str,
    prepare: Callable[[Base], Prepared],
    *,
    dry_run: bool = False,
    ask: Ask | None = None,
) -> Written:
    """Work a change out, show it, and commit it if it is wanted.

    Args:
        memory: the store.
        verb: the command.
        prepare: looks at the store and returns what is to be done.
        dry_run: only return what would be written.
        ask: asks the person; None where the call itself is their decision.

    Raises:
        NoKeyError: the person said no.
        UpheldError: as ``services.commit`` says.
    """
    with writer_for(memory, verb, ask, dry_run=True) as writer:
        base = load(writer)
        if not dry_run:
            demand_person(pinned_root(gate_for(writer.store, memory.path)), verb, ask)
        prepared = prepare(base)
        planned = screened(gate_for(writer.store, memory.path), base, prepared, preview(writer, base, prepared, verb))
    if dry_run:
        return planned
    agreed(ask, planned)
    with writer_for(memory, verb, ask) as writer:
        done = commit(writer, prepared.plan)
    return planned.replace(
        outcome="written", version=done.version, index_sha256=done.index_sha256, warning=done.warning
    )


def screened(gate: Gate, base: Base, prepared: Prepared, planned: Written) -> Written:
    """Pass every text of a change through the screen, and add what it flags to what the person is shown.

    Raises:
        RefusedError: the screen refuses one.
        FaultError: the screen's policy or memory cannot be trusted.
    """
    with judging(gate, base) as judge:
        judged = screen_change(base, prepared.plan(base), judge)
    demand(judged, base.today)
    return planned.replace(notes=(*planned.notes, *(note for one in judged for note in one.notes)))


def agreed(ask: Ask | None, planned: Written) -> None:
    """Insist that the person wants it.

    Raises:
        NoKeyError: they said no.
        UsageError: nobody can be asked.
    """
    if ask is not None and not ask.agrees(planned):
        raise NoKeyError("you said no: nothing was changed")


@contextmanager
def base_of(memory: Memory, verb: str) -> Iterator[Base]:
    """Open a store to look at what a writing verb would start from."""
    with writer_for(memory, verb, None, dry_run=True) as writer:
        yield load(writer)


def nonce() -> str:
    """Return four hexadecimal digits for a record's id."""
    return secrets.token_hex(2)
