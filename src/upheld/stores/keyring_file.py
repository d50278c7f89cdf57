"""An OpenSSH Ed25519 private key file as a keyring."""

from __future__ import annotations

import os
import stat

from upheld.errors import FaultError, NoKeyError, StorageError, UsageError
from upheld.ports.keyring import AskPassphrase, Identity
from upheld.wire import sshprivate, sshsig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# What OpenSSH 9.4 and later take: some tenths of a second, for a person and for each guess alike.
_KDF_ROUNDS = 24
_TRIES = 3


class _WrongPassphraseError(NoKeyError):
    """The passphrase does not open the key; the next one may."""


class FileKeyring:
    """One private key file.

    The passphrase is asked for each unlocking and never kept. The file must be a regular file of this user's own, with
    one name and no permissions for anybody else.

    Args:
        path: the private key file.
        ask_passphrase: asks a person; called only when the file is encrypted.
    """

    def __init__(self, path: str, ask_passphrase: AskPassphrase) -> None:
        self._path = path
        self._ask = ask_passphrase

    def identities(self) -> tuple[Identity, ...]:
        """Name the one key of the file, from its part in the clear."""
        held = _opened(_read_private(self._path), self._path)
        return (_identity(held, self._path),)

    def unlock(self, identity: Identity) -> UnlockedFileKey:
        """Ask for the passphrase where there is one, and open the key."""
        data = _read_private(self._path)
        held = _demand_same(_opened(data, self._path), identity, self._path)
        if not held.is_encrypted:
            return UnlockedFileKey(held, _loaded(data, held, None, self._path))
        return UnlockedFileKey(held, self._asked_for(data, held))

    def sign(self, identity: Identity, namespace: str, message: bytes) -> bytes:
        """Unlock, sign once, forget."""
        return self.unlock(identity).sign(namespace, message)

    def sign_silently(self, identity: Identity, namespace: str, message: bytes) -> bytes | None:
        """Sign without a passphrase; ``None`` when the file demands one."""
        data = _read_private(self._path)
        held = _demand_same(_opened(data, self._path), identity, self._path)
        if held.is_encrypted:
            return None
        return UnlockedFileKey(held, _loaded(data, held, None, self._path)).sign(namespace, message)

    def _asked_for(self, data: bytes, held: sshprivate.PrivateKeyFile) -> Ed25519PrivateKey:
        """Ask until the passphrase opens the key: three times, and no more once an answer comes a second time."""
        asked: str | None = None
        for left in reversed(range(_TRIES)):
            answer = self._ask(self._path if asked is None else f"{self._path} (that one is wrong, try again)")
            if answer is None:
                raise NoKeyError(f"nobody gave the passphrase of {self._path}")
            try:
                return _loaded(data, held, answer.encode(errors="surrogateescape"), self._path)
            except _WrongPassphraseError:
                # Whoever gives the same answer again is a program, and asking it on would change nothing.
                if not left or answer == asked:
                    raise
                asked = answer
        raise AssertionError("the last try returns or raises")


class UnlockedFileKey:
    """The opened key of one file; made by :meth:`FileKeyring.unlock`."""

    def __init__(self, held: sshprivate.PrivateKeyFile, private: Ed25519PrivateKey) -> None:
        self._public = held.key
        self._private = private

    def sign(self, namespace: str, message: bytes) -> bytes:
        """Sign; nobody is asked any more."""
        signature = sshsig.SshSignature(
            key=self._public,
            namespace=namespace,
            hash_algorithm="sha512",
            signature=self._private.sign(sshsig.to_be_signed(namespace, message)),
        )
        return sshsig.encode(signature)


def make_key_file(path: str, *, ask_passphrase: AskPassphrase | None) -> Identity:
    """Make a new Ed25519 key and write it in OpenSSH's format, readable by this user alone.

    Args:
        path: must not exist; its folder must.
        ask_passphrase: asks for the new passphrase (twice, if it is wise); ``None`` only where somebody said by name
            that the key shall have none: whatever runs as this user can then sign with it.

    Raises:
        NoKeyError: the person declined.
        UsageError: the passphrase is empty, or the file exists.
        StorageError: the file cannot be written.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    passphrase = None if ask_passphrase is None else _new_passphrase(path, ask_passphrase)
    data = _serialised(Ed25519PrivateKey.generate(), passphrase)
    _write_private(path, data)
    return _identity(_opened(data, path), path)


def _new_passphrase(path: str, ask: AskPassphrase) -> bytes:
    answer = ask(path)
    if answer is None:
        raise NoKeyError(f"nobody gave a passphrase for {path}")
    if not answer:
        raise UsageError("the passphrase is empty", help="a key without one is asked for by name")
    return answer.encode(errors="surrogateescape")


def _serialised(key: Ed25519PrivateKey, passphrase: bytes | None) -> bytes:
    from cryptography.hazmat.primitives import serialization

    form = serialization.PrivateFormat.OpenSSH
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase is not None:
        encryption = form.encryption_builder().kdf_rounds(_KDF_ROUNDS).build(passphrase)
    return key.private_bytes(serialization.Encoding.PEM, form, encryption)


def _identity(held: sshprivate.PrivateKeyFile, path: str) -> Identity:
    return Identity(key=held.key, where=path, needs_person="always" if held.is_encrypted else "never")


def _opened(data: bytes, path: str) -> sshprivate.PrivateKeyFile:
    try:
        held = sshprivate.decode(data, path)
    except FaultError as fault:
        raise NoKeyError(
            f"{path} cannot seal: {fault.detail}", help="use an Ed25519 key: `ssh-keygen -t ed25519`"
        ) from fault
    if held.key.is_hardware:
        raise NoKeyError(f"{path} only points to a security key", help="add it to an ssh-agent with `ssh-add`")
    return held


def _demand_same(held: sshprivate.PrivateKeyFile, identity: Identity, path: str) -> sshprivate.PrivateKeyFile:
    if held.key.blob != identity.key.blob:
        raise NoKeyError(f"{path} no longer holds the key {identity.key.key_id}")
    return held


def _loaded(data: bytes, held: sshprivate.PrivateKeyFile, passphrase: bytes | None, path: str) -> Ed25519PrivateKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        key = load_ssh_private_key(data, passphrase)
    except UnsupportedAlgorithm as error:
        raise NoKeyError(
            f"{path} is encrypted in a way that is not supported",
            help=f"re-encrypt it: `ssh-keygen -p -Z aes256-ctr -f {path}`",
        ) from error
    except (TypeError, ValueError) as error:  # TypeError: an empty passphrase
        if held.is_encrypted:
            raise _WrongPassphraseError(f"{path} cannot be opened: the passphrase is wrong") from error
        raise NoKeyError(f"{path} cannot be opened: the file is damaged") from error
    if not isinstance(key, Ed25519PrivateKey) or key.public_key().public_bytes_raw() != held.key.raw:
        raise NoKeyError(f"{path} is damaged: its two halves are not of one key")
    return key


def _read_private(path: str) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise NoKeyError(f"{path} cannot be opened: {_reason(error)}") from error
    try:
        complaint = _complaint(os.fstat(descriptor))
        if complaint:
            raise NoKeyError(f"{path} is not used: {complaint}", help=f"`chmod 600 {path}`, one name, your own")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(sshprivate.SIZE_LIMIT + 1)
    except OSError as error:
        raise NoKeyError(f"{path} cannot be read: {_reason(error)}") from error
    finally:
        os.close(descriptor)


def _complaint(status: os.stat_result) -> str:
    """Say why a private key file is not fit to be used, or nothing."""
    if not stat.S_ISREG(status.st_mode):
        return "it is not a regular file"
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    if status.st_mode & 0o077:
        return "others may read or write it"
    if status.st_nlink != 1:
        return "it has a second name (a hard link)"
    return ""


def _write_private(path: str, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileExistsError as error:
        raise UsageError(f"{path} exists", help="name another file; a key is never overwritten") from error
    except (OSError, ValueError) as error:
        raise StorageError(f"{path} cannot be written: {_reason(error)}") from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _sync_folder(os.path.dirname(path) or ".")
    except OSError as error:
        os.unlink(path)
        raise StorageError(f"{path} cannot be written: {_reason(error)}") from error


def _sync_folder(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
