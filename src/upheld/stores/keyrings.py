"""Where a sealing key may be found, in the order in which it is looked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from upheld.errors import NoKeyError, UsageError
from upheld.model.value import Value
from upheld.ports.keyring import AskPassphrase, Identity, Keyring
from upheld.stores.keyring_agent import AgentKeyring
from upheld.stores.keyring_file import FileKeyring

AGENT = "agent"


class Found(Value):
    """One key and what holds it."""

    keyring: Keyring
    identity: Identity


class KeySources(Value):
    """Where to look.

    Attributes:
        named: what the caller named: a private key file, ``agent`` or ``agent:FINGERPRINT``; None for nothing.
        files: private key files to look at when nothing is named.
        agent_socket: the ssh-agent's socket; empty for none.
        ask: asks for a passphrase.
    """

    named: str | None
    files: tuple[str, ...]
    agent_socket: str
    ask: AskPassphrase


def find_key(sources: KeySources, listed: Iterable[str]) -> Found:
    """Return the first key that the trust root lists.

    Args:
        sources: where to look.
        listed: key ids that may seal.

    Raises:
        NoKeyError: none of them is here; it says where was looked.
        UsageError: the named key is not one that may seal.
    """
    wanted = set(listed)
    seen: list[str] = []
    for found in keys(sources, seen.append):
        if found.identity.key.key_id in wanted:
            return found
        seen.append(
            f"{found.identity.where} holds {found.identity.key.fingerprint}, which the trust root does not list"
        )
    if sources.named is not None and any("does not list" in line for line in seen):
        raise UsageError(f"this key may not seal here: {seen[-1]}", help="see `upheld trust show`")
    raise NoKeyError(
        "no key here may seal this store: " + ("; ".join(seen) or "no key file and no ssh-agent"),
        help="name one with `--key FILE` or `--key agent`, or have one added with `upheld trust add-key`",
    )


def keys(sources: KeySources, miss: Callable[[str], None]) -> Iterable[Found]:
    """Yield every key that can be found, the named one alone where one is named."""
    for keyring in _keyrings(sources):
        try:
            identities = keyring.identities()
        except NoKeyError as error:
            miss(error.message)
            continue
        for identity in identities:
            if _is_named(sources.named, identity):
                yield Found(keyring=keyring, identity=identity)


def _keyrings(sources: KeySources) -> Iterable[Keyring]:
    if sources.named is None:
        yield from (FileKeyring(path, sources.ask) for path in sources.files if os.path.lexists(path))
    elif sources.named.partition(":")[0] != AGENT:
        yield FileKeyring(os.path.expanduser(sources.named), sources.ask)
        return
    if sources.agent_socket:
        yield AgentKeyring(sources.agent_socket)


def _is_named(named: str | None, identity: Identity) -> bool:
    if named is None or not named.startswith(f"{AGENT}:"):
        return True
    return named.removeprefix(f"{AGENT}:") in (identity.key.fingerprint, identity.key.key_id)


def sources_of(environ: Mapping[str, str], own: str, named: str | None, ask: AskPassphrase) -> KeySources:
    """Return where this user's keys may be.

    Args:
        environ: the environment: ``UPHELD_KEY`` names a key like ``--key`` does; ``SSH_AUTH_SOCK`` is the agent's.
        own: the key file that `init` makes.
        named: what ``--key`` says.
        ask: asks for a passphrase.
    """
    home = os.path.expanduser("~/.ssh/id_ed25519")
    chosen = named or environ.get("UPHELD_KEY") or None
    return KeySources(named=chosen, files=(own, home), agent_socket=environ.get("SSH_AUTH_SOCK", ""), ask=ask)
