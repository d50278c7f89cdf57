"""Bind what decides whether an index may be used to this user, this place and this call."""

from __future__ import annotations

import os

from upheld.compose.clock import instant, today
from upheld.compose.state import state_root, system_pin
from upheld.errors import UsageError
from upheld.model.names import is_digest
from upheld.services.admission import Gate, Pin
from upheld.stores.state_directory import StateReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.ports.store import ReadableStore
    from upheld.ports.trusted_state import TrustedState


def gate_for(
    store: ReadableStore, path: str, *, unsealed: bool = False, pin: str | None = None, remembers: bool = True
) -> Gate:
    """Return the gate of one store for one call.

    Args:
        store: the opened store.
        path: its folder.
        unsealed: the caller reads it without a seal, by name.
        pin: ``DIGEST@VERSION`` from the command line, for machines without a state; None for none.
        remembers: whether what is verified may move the trusted state.

    Raises:
        UsageError: the pin is malformed.
        FaultError: a system pin cannot be trusted.
    """
    root = state_root(os.environ)
    return Gate(
        store=store,
        state=StateReader(root, path),
        writable=lambda: writable_state(root, path),
        today=today(),
        now=instant(),
        unsealed=unsealed,
        pin=None if pin is None else parse_pin(pin),
        system_pin=system_pin(path),
        remembers=remembers and pin is None,
        make_durable=lambda: _sync(path),
        keep=lambda index_sha256: _keep(path, index_sha256),
    )


def _keep(path: str, index_sha256: str) -> None:
    """See ``keeping.keep_accepted``, which is loaded only where it comes to that."""
    from upheld.compose.keeping import keep_accepted

    keep_accepted(path, index_sha256)


def _sync(path: str) -> None:
    """Make the names in a store's folder durable, where the platform has a call for it."""
    from upheld.errors import StorageError
    from upheld.stores.state_writer import sync_folder

    try:
        sync_folder(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be made durable: {os.strerror(error.errno or 0)}") from None


def writable_state(root: str, path: str) -> TrustedState:
    """Open the trusted state of a place for writing."""
    from upheld.stores.state_writer import StateDirectory

    return StateDirectory(root, path)


def parse_pin(text: str) -> Pin:
    """Read ``DIGEST@VERSION``: the digest of a version of the trust root, and the lowest index version to accept.

    Raises:
        UsageError: it is anything else.
    """
    digest, _, version = text.partition("@")
    if not is_digest(digest) or not (version.isascii() and version.isdigit() and len(version) < 16):
        raise UsageError(
            f"--pin {text!r:.90}: DIGEST@VERSION is wanted",
            help="`upheld trust show` prints it: the trust root's digest and the lowest version to accept",
        )
    return Pin(root_sha256=digest, version=int(version))
