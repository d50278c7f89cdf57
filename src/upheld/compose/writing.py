"""Bind a writing verb to a place, a person and a clock. Every verb that writes goes through ``perform``."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from upheld.compose.clock import instant, today
from upheld.compose.gate import gate_for
from upheld.compose.person import writer_name
from upheld.errors import NoKeyError, UsageError
from upheld.model.written import Written
from upheld.ports.history import History
from upheld.ports.person import Ask
from upheld.services.base import Base
from upheld.services.commit import Writer, commit, load
from upheld.services.prepared import Prepared
from upheld.services.preview import preview
from upheld.stores.directory_writer import open_writable

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
        UsageError: the memory judges by another day than today.
    """
    if memory.as_of not in (None, today()):
        raise UsageError(f"`{verb}` cannot be done as of another day", help="leave out --as-of")
    store = open_writable(memory.path)
    try:
        gate = gate_for(store, memory.path, unsealed=memory.unsealed, pin=memory.pin, remembers=not dry_run)
        yield Writer(
            store=store,
            admit=gate.admit,
            sealer=None,
            today=today(),
            instant=instant,
            monotonic=time.monotonic,
            by=writer_name(os.environ, os.path.dirname(os.path.abspath(memory.path))),
        )
    finally:
        store.close()


def history_for(memory: Memory) -> History | None:
    """Return what is kept of this store outside it; None where nothing is."""
    return None


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
        prepared = prepare(base)
        planned = preview(writer, base, prepared, verb)
    if dry_run:
        return planned
    agreed(ask, planned)
    with writer_for(memory, verb, ask) as writer:
        done = commit(writer, prepared.plan)
    return planned.replace(
        outcome="written", version=done.version, index_sha256=done.index_sha256, warning=done.warning
    )


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
