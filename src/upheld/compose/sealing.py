"""Make, seal and pin stores: what needs a key, this user's folders and the clock at once."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable

from upheld.compose.accepted import accepted_root
from upheld.compose.clock import instant, today
from upheld.compose.gate import gate_for
from upheld.compose.judging import judging
from upheld.compose.keeping import history_of
from upheld.compose.state import config_root
from upheld.errors import NoKeyError, StorageError, UsageError
from upheld.model.change import Change, Committed
from upheld.model.names import short
from upheld.ports.keyring import AskPassphrase
from upheld.services.admission import Gate
from upheld.services.admission_slow import remember_commit, vouch_first
from upheld.services.base import Base
from upheld.services.commit import Writer, commit, load
from upheld.services.init import init
from upheld.services.migrate import plan_migrate
from upheld.services.screening import demand
from upheld.services.screening_adopted import screen_store
from upheld.services.seal_store import first_root, root_change
from upheld.stores.directory_writer import WritableDirectory, open_writable
from upheld.stores.keyring_sealer import KeyringSealer
from upheld.stores.keyrings import Found, KeySources, find_key, keys, sources_of
from upheld.wire import index as wire_index


def own_key_file() -> str:
    """Return the private key file that `init` makes for this user."""
    return os.path.join(config_root(os.environ), "key")


def key_sources(named: str | None, ask: AskPassphrase) -> KeySources:
    """Return where this user's sealing keys may be."""
    return sources_of(os.environ, own_key_file(), named, ask)


def make_own_key(ask: AskPassphrase | None) -> Found:
    """Make this user's sealing key in the configuration folder.

    Args:
        ask: asks for the new passphrase; None only where somebody said by name that the key shall have none.

    Raises:
        UsageError: there is one already, or the passphrase is empty.
        NoKeyError: the person declined.
    """
    from upheld.stores.keyring_file import FileKeyring, make_key_file

    path = own_key_file()
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{os.path.dirname(path)} cannot be made: {os.strerror(error.errno or 0)}") from None
    given: list[str | None] = [None]

    def once(asked: str) -> str | None:
        given[0] = ask(asked) if ask is not None else None
        return given[0]

    identity = make_key_file(path, ask_passphrase=None if ask is None else once)
    # The passphrase has just been typed; the one seal that follows does not ask for it again.
    return Found(keyring=FileKeyring(path, lambda _: given.pop() if given else None), identity=identity)


def key_to_start_with(named: str | None, ask: AskPassphrase, *, passphrase: bool) -> Found:
    """Return the key that seals a new store: the named one, this user's own, or one that is made now.

    Raises:
        NoKeyError: the named key is not there, or nobody gave a passphrase for a new one.
    """
    sources = key_sources(named, ask)
    missed: list[str] = []
    if sources.named is not None:
        found = next(iter(keys(sources, missed.append)), None)
        if found is None:
            raise NoKeyError(f"no key at {sources.named}: {'; '.join(missed) or 'nothing there signs'}")
        return found
    if os.path.lexists(own_key_file()):
        own = sources.replace(named=own_key_file())
        found = next(iter(keys(own, missed.append)), None)
        if found is None:
            raise NoKeyError("; ".join(missed))
        return found
    return make_own_key(_twice(ask) if passphrase else None)


def _twice(ask: AskPassphrase) -> AskPassphrase:
    def asked(path: str) -> str | None:
        first = ask(f"{path}, which is new and seals your stores")
        if first is not None and ask(f"{path}, again") != first:
            raise NoKeyError("the two passphrases differ; nothing was made")
        return first

    return asked


def key_note(named: str | None, *, passphrase: bool) -> str:
    """Say which key a new store will be sealed with."""
    chosen = named or os.environ.get("UPHELD_KEY")
    if chosen:
        return f"sealed with {chosen}"
    if os.path.lexists(own_key_file()):
        kept = "" if passphrase else ", as it is: --no-passphrase is for a key that is made"
        return f"sealed with your key {own_key_file()}{kept}"
    return f"a key is made for you: {own_key_file()}" + ("" if passphrase else ", UNSAFE: without a passphrase")


def init_sealed(
    path: str,
    found: Found,
    *,
    by: str,
    automation: tuple[str, ...] = (),
    after: tuple[Callable[[Committed], None], ...] = (),
) -> Committed:
    """Make a sealed store in ``path`` and pin it there.

    Raises:
        UsageError: there is a store already, or one is pinned at this place.
        NoKeyError: the key cannot be unlocked.
        StorageError: the disk failed.
    """
    sealer = KeyringSealer(found.keyring, found.identity)
    made = _make_folder(path)
    try:
        with open_writable(path) as store:
            gate = gate_for(store, path)
            _refuse_pinned(gate)
            writer = _writer(store, gate, sealer, by, (*after, lambda done: pin_commit(gate, done)))
            store_id = secrets.token_hex(16)
            root = first_root(
                found.identity.key, name=by, store_id=store_id, now=writer.instant(), automation=automation
            )
            start = Change(events=(), files={}, entries={}, retired={}, bases={})
            return init(writer, store_id, root_change(root, {found.identity.key.key_id: sealer}, start))
    except BaseException:
        if made:
            _remove_if_empty(path)
        raise


def migrate(path: str, found: Found, *, by: str, automation: tuple[str, ...] = ()) -> Committed:
    """Seal the unsealed store in ``path`` and pin it there.

    Raises:
        UsageError: it is sealed already, or a store is pinned at this place.
        RefusedError: a key's chain is damaged.
        NoKeyError: the key cannot be unlocked.
    """
    sealer = KeyringSealer(found.keyring, found.identity)
    with open_writable(path) as store:
        gate = gate_for(store, path, unsealed=True)
        _refuse_pinned(gate)
        index = wire_index.decode(store.read(wire_index.PLACE, wire_index.MAX_BYTES))
        store_id = index.store_id or secrets.token_hex(16)
        after = (history_of(path).record, lambda done: pin_commit(gate, done))
        writer = _writer(store, gate, sealer, by, after)
        root = first_root(found.identity.key, name=by, store_id=store_id, now=writer.instant(), automation=automation)
        plan = plan_migrate()

        def sealed(base: Base) -> Change:
            _screen(gate, base)
            return root_change(root, {found.identity.key.key_id: sealer}, plan(base))

        return commit(writer, sealed, store_id=store_id)


def preview_migrate(path: str) -> tuple[Change, tuple[str, ...]]:
    """Work out what a migration would change, and what a person should read again first. Nothing is written.

    Raises:
        UsageError: it is sealed already, or a store is pinned at this place.
        RefusedError: a key's chain is damaged, or the screen refuses a text.
    """
    with open_writable(path) as store:
        gate = gate_for(store, path, unsealed=True)
        _refuse_pinned(gate)
        base = load(_writer(store, gate, None, "", ()))
        return plan_migrate()(base), _screen(gate, base)


def _screen(gate: Gate, base: Base) -> tuple[str, ...]:
    """Insist that the screen refuses nothing of what is there; return what it flags."""
    with judging(gate, base) as judge:
        judged = screen_store(base, judge)
    demand(judged, base.today)
    return tuple(f"`{one.key}`: {note}" for one in judged for note in one.notes)


def pin_commit(gate: Gate, committed: Committed) -> None:
    """Pin the store that this process has just made and sealed.

    Raises:
        RefusedError: a reader would refuse it.
        StorageError: the trusted state cannot be written.
    """
    index = wire_index.decode(committed.index)
    state, accepted = vouch_first(gate, committed.index, index, index.root_sha256 or "")
    gate.writable().save(state, accepted)


def writer_to(
    store: WritableDirectory,
    gate: Gate,
    sealer: KeyringSealer | None,
    by: str,
    after: tuple[Callable[[Committed], None], ...] = (),
) -> Writer:
    """Return the writer of one command on a sealed store; what it commits becomes the head of the trusted state.

    History (``after``) comes first, so that the trusted state never names a version that is not kept.
    """
    return _writer(store, gate, sealer, by, (*after, lambda done: remember_commit(gate, done.index)))


def sealer_for(gate: Gate, sources: KeySources) -> KeyringSealer:
    """Unlock the key that this user seals with here. A person may have to act, so no lock is held yet.

    Raises:
        NoKeyError: no key that the trust root lists is here, or it cannot be unlocked.
    """
    listed = [key.public_key.key_id for key in accepted_root(gate).usable_keys]
    found = find_key(sources, listed)
    return KeyringSealer(found.keyring, found.identity)


def _writer(
    store: WritableDirectory,
    gate: Gate,
    sealer: KeyringSealer | None,
    by: str,
    after: tuple[Callable[[Committed], None], ...],
) -> Writer:
    return Writer(
        store=store,
        admit=gate.admit,
        sealer=sealer,
        today=today(),
        instant=instant,
        monotonic=time.monotonic,
        by=by,
        after=after,
    )


def _refuse_pinned(gate: Gate) -> None:
    state = gate.state.load()
    if state is not None and state.is_pinned:
        raise UsageError(
            f"a store ({short(state.store_id)}) is pinned at this place already",
            help="bring it back with `upheld doctor`; if it was removed on purpose, `upheld trust forget` first",
        )


def _make_folder(path: str) -> bool:
    try:
        os.makedirs(path)
    except FileExistsError:
        return False
    except OSError as error:
        raise StorageError(f"{path} cannot be made: {os.strerror(error.errno or 0)}") from None
    return True


def _remove_if_empty(path: str) -> None:
    try:
        os.rmdir(path)
    except OSError:
        return
