"""Show, pin and change the trust in one store: what needs its folder, this user's keys and state, and the clock.

Nothing here asks anybody but for a passphrase: the command asks first, then calls.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from upheld.compose.absent import demand_present
from upheld.compose.clock import instant
from upheld.compose.gate import gate_for
from upheld.compose.judging import judging
from upheld.compose.keeping import history_of
from upheld.compose.routes import after_commit
from upheld.compose.sealing import writer_to
from upheld.compose.state import state_root
from upheld.errors import FaultError, NoKeyError, StorageError, UsageError
from upheld.model.change import Committed
from upheld.model.trust_view import TrustView
from upheld.model.trusted import Trusted
from upheld.model.value import Value
from upheld.ports.keyring import Identity
from upheld.services.admission import Gate
from upheld.services.admission_slow import accepted_root
from upheld.services.base import Base
from upheld.services.commit import commit, load
from upheld.services.probe import probe
from upheld.services.screening import demand
from upheld.services.screening_adopted import screen_words, words_of
from upheld.services.silent_signing import SilentAttempt
from upheld.services.snapshot import read_index
from upheld.services.trust_apply import admit_to_renew, plan_apply
from upheld.services.trust_next import Edit, Standing, differences, propose, standing, still_wanted
from upheld.services.trust_show import trust_show
from upheld.services.trust_state import pinned_state
from upheld.stores.directory import DirectoryStore
from upheld.stores.directory_writer import open_writable
from upheld.stores.keyring_sealer import KeyringSealer
from upheld.stores.keyrings import Found, KeySources, find_key, keys
from upheld.stores.state_writer import StateDirectory
from upheld.trust.root import TrustedRoot
from upheld.trust.signature import ROOT_NAMESPACE
from upheld.wire import pending_root
from upheld.wire import root as wire_root
from upheld.wire.pending_root import PendingRoot

_LARGEST = 64 * 1024 * 1024


@contextmanager
def gate_at(path: str) -> Iterator[Gate]:
    """Open the store in ``path`` for reading and give its gate. A store that is gone can still be forgotten.

    Raises:
        NoStoreError: the folder is not there.
        RefusedError: RBK004, it is not there, and a store is pinned at the place.
        FaultError: a system pin cannot be trusted.
    """
    demand_present(path)
    with DirectoryStore(path) as store:
        yield gate_for(store, path)


def show(path: str) -> TrustView:
    """Return what there is to know of the trust in a store."""
    with gate_at(path) as gate:
        return trust_show(gate)


def forget(path: str) -> None:
    """Remove what this machine remembers of a place. The folder need not be there.

    Raises:
        UsageError: nothing is remembered.
        StorageError: it cannot be removed.
    """
    remembered(path)
    _state(path).forget()


def remembered(path: str) -> Trusted | None:
    """Return what is remembered of a place whose folder need not be there; None where it cannot be read any more.

    Raises:
        UsageError: nothing is remembered.
    """
    try:
        state = _state(path).load()
    except FaultError:
        return None
    if state is None:
        raise UsageError("nothing is remembered of this place", help="see `upheld trust show`")
    return state


def _state(path: str) -> StateDirectory:
    return StateDirectory(state_root(os.environ), path)


class Draft(Value):
    """A trust root on its way, and where it stands.

    Attributes:
        current: the root that counts now; pending: the next one.
        standing: whose signatures it has.
        says: the differences, in words.
    """

    current: TrustedRoot
    pending: PendingRoot
    standing: Standing
    says: tuple[str, ...]

    @property
    def version(self) -> int:
        """The version that it would be."""
        return self.current.root.version + 1


def drafted(path: str, edit: Edit) -> Draft:
    """Work out the next trust root, unsigned.

    Raises:
        UsageError: nothing is pinned here, or no such root can be made.
        RefusedError: the store is refused for another reason than that something expired.
    """
    current = current_root(path)
    return _screened(path, _draft(current, propose(current.root, edit, instant())))


def opened(path: str, data: bytes, place: str) -> Draft:
    """Read a pending root that somebody passed on.

    Raises:
        FaultError: the file is malformed.
        UsageError: it is not the next version of the root that counts here.
    """
    pending = pending_root.decode(data, place)
    new = wire_root.decode(pending.data, place)
    current = current_root(path)
    if new.store_id != current.root.store_id or new.version != current.root.version + 1:
        raise UsageError(
            f"{place} holds version {new.version} of a trust root, and {current.root.version + 1} would be next",
            help="make it anew from the root that counts now",
        )
    return _screened(path, _draft(current, pending))


def _screened(path: str, draft: Draft) -> Draft:
    """Insist that the screen refuses none of the words that a new trust root brings.

    Raises:
        RefusedError: it refuses one.
    """
    old = {text for _, text in words_of(draft.current.root)}
    new = words_of(wire_root.decode(draft.pending.data, "the pending root"))
    with gate_at(path) as gate:
        base = Base(gate.store, read_index(gate.store)[1], gate.today)
        with judging(gate, base) as judge:
            judged = screen_words([one for one in new if one[1] not in old], judge)
    demand([judged], gate.today)
    return draft


def current_root(path: str) -> TrustedRoot:
    """Return the trust root that counts at a pinned place.

    Raises:
        UsageError: nothing is pinned here.
        RefusedError: the store is refused for another reason than that something expired.
    """
    with open_writable(path) as store:
        gate = gate_for(store, path)
        pinned_state(gate)
        load(writer_to(store, gate, None, "").replace(admit=admit_to_renew(gate)))
        return accepted_root(gate, pinned_state(gate))


def signed(draft: Draft, sources: tuple[KeySources, ...]) -> tuple[Draft, dict[str, KeyringSealer]]:
    """Sign with the keys of this user that are still wanted, each unlocked once.

    Returns:
        The draft, and the unlocked keys by id: one of them may seal the commit that follows.

    Raises:
        NoKeyError: a key cannot be unlocked.
    """
    unlocked: dict[str, KeyringSealer] = {}
    for found in _each(sources):
        key_id = found.identity.key.key_id
        if key_id in still_wanted(draft.current, draft.pending) and key_id not in unlocked:
            unlocked[key_id] = KeyringSealer(found.keyring, found.identity)
            signature = unlocked[key_id].sign(ROOT_NAMESPACE, draft.pending.data)
            draft = _draft(draft.current, draft.pending.signed(key_id, signature))
    return draft, unlocked


def applied(
    path: str, draft: Draft, unlocked: dict[str, KeyringSealer], sources: tuple[KeySources, ...], by: str
) -> Committed:
    """Publish a root that enough keys have signed, in one commit sealed by a key of the new root.

    Raises:
        RefusedError: it is not signed enough, or the store is refused.
        NoKeyError: no key that the new root lists is here.
        StorageError: the disk failed; nothing was committed.
    """
    plan = plan_apply(draft.current, draft.pending)
    sealer = _sealer(draft, unlocked, sources)
    with open_writable(path) as store:
        gate = gate_for(store, path)
        writer = writer_to(store, gate, sealer, by, (history_of(path).record,)).replace(admit=admit_to_renew(gate))
        # The index has moved, and a route index is of one index only.
        writer = writer.replace(after=(*writer.after, after_commit(path)))
        return commit(writer, lambda base: plan(_same_root(base, draft)))


def identity_of(sources: KeySources) -> Identity:
    """Return the one key that somebody named, without unlocking it.

    Raises:
        NoKeyError: it is not there.
    """
    missed: list[str] = []
    found = next(iter(keys(sources, missed.append)), None)
    if found is None:
        raise NoKeyError("; ".join(missed) or "no such key is here", help="make one with `ssh-keygen -t ed25519`")
    return found.identity


def probed(path: str, found: Found) -> tuple[SilentAttempt, ...]:
    """Try whether a key signs while nobody is there, and let every recall of this store mention it if it does.

    Raises:
        FaultError: the trusted state cannot be used.
        StorageError: it cannot be written.
    """
    with gate_at(path) as gate:
        return probe(gate, found.keyring, (found.identity,))


def read_file(path: str) -> bytes:
    """Read a file that a person named.

    Raises:
        UsageError: it cannot be read, or is larger than any such file is.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {os.strerror(error.errno or 0)}") from None
    if len(data) > _LARGEST:
        raise UsageError(f"{path} is larger than {_LARGEST:,} bytes")
    return data


def write_file(path: str, data: bytes, *, replace: bool = False) -> None:
    """Write a file that a person named.

    Raises:
        UsageError: it exists already and is not to be replaced.
        StorageError: it cannot be written.
    """
    try:
        if replace and os.path.isfile(path):
            _replace(path, data)
        else:
            with open(path, "xb") as file:
                file.write(data)
    except FileExistsError:
        raise UsageError(f"{path} exists", help="name another file") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {os.strerror(error.errno or 0)}") from None


def _replace(path: str, data: bytes) -> None:
    """Replace a file at once: what stands in it are signatures of other people, which nobody could give again."""
    real = os.path.realpath(path)
    made = f"{real}.{secrets.token_hex(4)}.new"
    try:
        with open(made, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(made, real)
    except OSError:
        with suppress(OSError):
            os.unlink(made)
        raise


def _draft(current: TrustedRoot, pending: PendingRoot) -> Draft:
    new = wire_root.decode(pending.data, "the pending root")
    return Draft(
        current=current,
        pending=pending,
        standing=standing(current, pending),
        says=differences(current.root, new),
    )


def _each(sources: tuple[KeySources, ...]) -> Iterator[Found]:
    for source in sources:
        yield from keys(source, lambda _: None)


def _sealer(draft: Draft, unlocked: dict[str, KeyringSealer], sources: tuple[KeySources, ...]) -> KeyringSealer:
    new = wire_root.decode(draft.pending.data, "the pending root")
    today = instant()[:10]
    listed = [key.public_key.key_id for key in new.usable_keys if key.expires_on is None or today < key.expires_on]
    for key_id in listed:
        if key_id in unlocked:
            return unlocked[key_id]
    missing: NoKeyError | UsageError | None = None
    for source in sources:
        try:
            found = find_key(source, listed)
        except (NoKeyError, UsageError) as error:
            missing = error
            continue
        return KeyringSealer(found.keyring, found.identity)
    raise missing or NoKeyError("no key here may seal under the new trust root")


def _same_root(base: Base, draft: Draft) -> Base:
    if base.index.root_sha256 != draft.current.digest:
        raise UsageError(
            "the trust root has changed meanwhile", help="make the new version from the one that counts now"
        )
    return base
