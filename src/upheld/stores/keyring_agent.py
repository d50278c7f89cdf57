"""A running ssh-agent as a keyring."""

from __future__ import annotations

import socket
import time

from upheld.errors import FaultError, NoKeyError
from upheld.model.finding import Finding
from upheld.ports.keyring import Identity
from upheld.trust.signature import Envelope, verify
from upheld.wire import sshagent, sshsig

_LIST_SECONDS = 5.0
_HELP = "start an agent, or name a key file"


class AgentKeyring:
    """The Ed25519 keys of an ssh-agent, plain and on security keys.

    Every signature is checked before it is handed on, so an agent that answers anything else than a good signature,
    or a security key that was not touched, is an error here and not a broken seal later.

    Args:
        socket_path: the agent's socket (what ``SSH_AUTH_SOCK`` names).
        person_seconds: how long a person has to confirm or touch.
        silent_seconds: how long an agent that asks nobody may take.
    """

    def __init__(self, socket_path: str, *, person_seconds: float = 120.0, silent_seconds: float = 3.0) -> None:
        self._path = socket_path
        self._person_seconds = person_seconds
        self._silent_seconds = silent_seconds

    def identities(self) -> tuple[Identity, ...]:
        """List the keys. The agent does not say which of them it asks about before signing."""
        try:
            answer = _exchange(self._path, sshagent.identities_request(), _LIST_SECONDS)
            keys = sshagent.identities_answer(answer, self._path)
        except TimeoutError as error:
            raise NoKeyError(f"the ssh-agent at {self._path} does not answer", help=_HELP) from error
        except FaultError as fault:
            raise NoKeyError(f"the ssh-agent at {self._path} answers nonsense: {fault.detail}") from fault
        return tuple(Identity(key=key, where=self._path, needs_person="unknown") for key in keys)

    def unlock(self, identity: Identity) -> UnlockedAgentKey:
        """Name the key; an agent asks its person when it is asked to sign, and not before."""
        return UnlockedAgentKey(self, identity)

    def sign(self, identity: Identity, namespace: str, message: bytes) -> bytes:
        """Ask the agent, and give a person time to confirm or touch."""
        try:
            signature = self._asked(identity, namespace, message, self._person_seconds)
        except TimeoutError as error:
            raise NoKeyError(f"nobody confirmed the use of {_shown(identity)} in time") from error
        if signature is None:
            raise NoKeyError(f"the ssh-agent declined to sign with {_shown(identity)}")
        return _demand_good(signature, identity, namespace, message)

    def sign_silently(self, identity: Identity, namespace: str, message: bytes) -> bytes | None:
        """Ask the agent, and take a quick answer only; an agent that asks a person is left waiting.

        The signature of a security key is handed back whether it was touched or not: it says so itself.
        """
        try:
            return self._asked(identity, namespace, message, self._silent_seconds)
        except TimeoutError:
            return None

    def _asked(self, identity: Identity, namespace: str, message: bytes, seconds: float) -> bytes | None:
        blob = sshsig.to_be_signed(namespace, message)
        answer = _exchange(self._path, sshagent.sign_request(identity.key, blob), seconds)
        try:
            signed = sshagent.sign_answer(answer, self._path)
            if signed is None:
                return None
            return sshsig.encode(sshsig.from_blob(identity.key, namespace, signed, self._path))
        except FaultError as fault:
            raise NoKeyError(f"the ssh-agent at {self._path} answers nonsense: {fault.detail}") from fault


class UnlockedAgentKey:
    """One key of an agent; made by :meth:`AgentKeyring.unlock`."""

    def __init__(self, keyring: AgentKeyring, identity: Identity) -> None:
        self._keyring = keyring
        self._identity = identity

    def sign(self, namespace: str, message: bytes) -> bytes:
        """Ask the agent."""
        return self._keyring.sign(self._identity, namespace, message)


def _demand_good(signature: bytes, identity: Identity, namespace: str, message: bytes) -> bytes:
    result = verify(Envelope(place=identity.where, data=signature), message, namespace, (identity.key,))
    if isinstance(result, Finding):
        raise NoKeyError(f"the signature by {_shown(identity)} would not count: {result.entry.what}", help=result.help)
    return signature


def _exchange(path: str, request: bytes, seconds: float) -> bytes:
    """Send one request and read one answer, all within one deadline.

    Raises:
        TimeoutError: the deadline passed.
        NoKeyError: there is no agent, or it hung up.
    """
    deadline = time.monotonic() + seconds
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as agent:
            agent.settimeout(seconds)
            agent.connect(path)
            agent.sendall(request)
            size = int.from_bytes(_receive(agent, 4, deadline), "big")
            if not 0 < size <= sshagent.ANSWER_LIMIT:
                raise NoKeyError(f"the ssh-agent at {path} answers nonsense: {size} bytes")
            return _receive(agent, size, deadline)
    except TimeoutError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise NoKeyError(f"the ssh-agent at {path} cannot be reached: {error}", help=_HELP) from error


def _receive(agent: socket.socket, size: int, deadline: float) -> bytes:
    """Read exactly ``size`` bytes; the deadline holds for all of them, so an agent that drips cannot stretch it."""
    received = bytearray()
    while len(received) < size:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        agent.settimeout(left)
        chunk = agent.recv(size - len(received))
        if not chunk:
            raise ConnectionError("it hung up")
        received += chunk
    return bytes(received)


def _shown(identity: Identity) -> str:
    return f"{identity.key.key_id} ({identity.key.comment})" if identity.key.comment else identity.key.key_id
