"""The same writes on sealed stores: a seal, a log, a trust root that is rotated, and a trusted state beside the store."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import crash_world
from crash_world import INSTANT, STORE_ID, TODAY, Seal, Write, write_correct, write_remember

from upheld.compose.accepted import accepted_root
from upheld.compose.sealing import pin_commit
from upheld.model.change import Change, Committed
from upheld.ports.store import ReadableStore
from upheld.services.admission import Gate
from upheld.services.admission_slow import accepted_root as trusted_root
from upheld.services.admission_slow import remember_commit
from upheld.services.commit import Writer, commit
from upheld.services.init import init
from upheld.services.seal_store import first_root, root_change
from upheld.services.snapshot import read_index
from upheld.services.trust_apply import plan_apply
from upheld.services.trust_next import propose
from upheld.services.trust_pin import trust_pin
from upheld.services.trust_rotate import rotate
from upheld.services.trust_state import pinned_state
from upheld.stores.directory import DirectoryStore
from upheld.stores.keyring_sealer import KeyringSealer
from upheld.stores.state_directory import StateReader
from upheld.stores.state_writer import StateDirectory
from upheld.testing.keys import MemoryKey, MemoryKeyring
from upheld.trust.signature import ROOT_NAMESPACE

OLD, NEW = MemoryKey("ada"), MemoryKey("ada, next year")
_PINNED = "/nowhere/store"
"""Stores are laid out in many folders; the state takes them all for this one."""


def state_of(place: str | Path) -> Path:
    """Return where the trusted state of the store in ``place`` lies: beside it, not in it."""
    return Path(f"{place}.state")


def gate_of(store: ReadableStore) -> Gate:
    root = str(state_of(store.location))
    return Gate(
        store=store,
        state=StateReader(root, _PINNED),
        writable=lambda: StateDirectory(root, _PINNED),
        today=TODAY,
        now=INSTANT,
    )


def sealer_of(key: MemoryKey) -> KeyringSealer:
    ring = MemoryKeyring(key)
    return KeyringSealer(ring, ring.identities()[0])


def seal_of(store: ReadableStore) -> Seal:
    """Seal with whichever key the accepted root lists; what is committed becomes the head of the trusted state."""
    gate = gate_of(store)
    state = gate.state.load()
    if state is None or not state.is_pinned:
        return Seal(admit=gate.admit, sealer=sealer_of(OLD), after=(lambda done: pin_commit(gate, done),))
    [listed] = accepted_root(gate).usable_keys
    key = OLD if listed.public_key.raw == OLD.public.raw else NEW
    return Seal(admit=gate.admit, sealer=sealer_of(key), after=(lambda done: remember_commit(gate, done.index),))


def write_init() -> Write:
    def act(writer: Writer) -> Committed:
        root = first_root(OLD.public, name="Ada", store_id=STORE_ID, now=INSTANT)
        start = Change(events=(), files={}, entries={}, retired={}, bases={})
        return init(writer, STORE_ID, root_change(root, {OLD.public.key_id: sealer_of(OLD)}, start))

    return Write(name="init", act=act, after=lambda texts: {})


def write_rotate() -> Write:
    """The key that seals gives way to another: both sign the new trust root, the new one seals."""

    def act(writer: Writer) -> Committed:
        gate = gate_of(writer.store)
        current = trusted_root(gate, pinned_state(gate))
        pending = propose(current.root, rotate("Ada", NEW.public), INSTANT)
        for key in (OLD, NEW):
            pending = pending.signed(key.public.key_id, key.sign(ROOT_NAMESPACE, pending.data))
        return commit(writer.replace(sealer=sealer_of(NEW)), plan_apply(current, pending))

    return Write(name="rotate", act=act, after=lambda texts: texts)


SCRIPT: tuple[Write, ...] = (
    write_init(),
    write_remember("alpha", "Alpha, first.\n"),
    write_correct("alpha", "Alpha, second.\n"),
    write_rotate(),
    write_correct("alpha", "Alpha, third.\n", "c2c2"),
)


def switch_on(change: Callable[[object, str, object], None] = setattr) -> None:
    """Let the crash world write sealed stores.

    Args:
        change: how to exchange an attribute; a test brings one that is undone.
    """
    change(crash_world, "seal_of", seal_of)
    change(crash_world, "SCRIPT", SCRIPT)


def pin(place: Path) -> None:
    """What a person does about a store that was made and not pinned: `trust pin`."""
    with DirectoryStore(str(place)) as store:
        gate = gate_of(store)
        trust_pin(gate, read_index(store)[1].root_sha256 or "")


def copy_state(source: Path, place: Path) -> None:
    """Lay out a trusted state beside the store in ``place``; where there is none, none is laid out."""
    shutil.rmtree(state_of(place), ignore_errors=True)
    if source.is_dir():
        shutil.copytree(source, state_of(place))


def roots_past_the_index(place: Path) -> list[str]:
    """Return the trust roots that a dead rotation left, which the index does not name yet."""
    with DirectoryStore(str(place)) as store:
        newest = read_index(store)[1].root_version or 0
    return sorted(path.name for path in (place / "trust").iterdir() if int(path.name.partition(".")[0]) > newest)
