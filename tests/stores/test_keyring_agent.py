from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import openssh
from openssh import needs_ssh_agent, needs_ssh_keygen
from upheld.errors import NoKeyError
from upheld.model.finding import Finding
from upheld.ports.keyring import Identity, Keyring
from upheld.services.silent_signing import PROBE_NAMESPACE, SilentAttempt, silent_signing
from upheld.stores import keyring_agent
from upheld.stores.keyring_agent import AgentKeyring
from upheld.stores.keyring_file import FileKeyring, make_key_file
from upheld.testing.keys import MemoryKey, MemoryKeyring
from upheld.trust.signature import INDEX_NAMESPACE, Envelope, verify
from upheld.wire.sshkey import parse_line
from upheld.wire.sshsig import decode
from upheld.wire.sshwire import put_string, put_uint32

MESSAGE = b"index bytes\n"
ADA = MemoryKey("ada")
TOUCH = MemoryKey("touch", is_hardware=True)
FAILURE = put_string(b"\x05")


def is_good(signature: bytes | None, identity: Identity) -> bool:
    envelope = Envelope(place="s", data=signature or b"")
    return not isinstance(verify(envelope, MESSAGE, INDEX_NAMESPACE, (identity.key,)), Finding)


def told(attempt: SilentAttempt) -> tuple[str, list[str]]:
    return attempt.outcome, [finding.code for finding in attempt.findings]


def askpass(folder: Path, script: str) -> dict[str, str]:
    """What makes an agent ask a script instead of a person."""
    path = folder / "askpass"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    return {"SSH_ASKPASS": str(path), "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":0"}


# --- a real agent -----------------------------------------------------------------------------------------------------


@needs_ssh_agent
@needs_ssh_keygen
def test_a_real_agent_lists_and_signs_and_ssh_keygen_agrees(tmp_path: Path) -> None:
    key = openssh.make_key(tmp_path / "key")
    public = key.with_suffix(".pub").read_text().rstrip("\n")
    with openssh.agent(tmp_path) as path:
        openssh.add_key(path, openssh.make_key(tmp_path / "rsa", kind="rsa"))
        openssh.add_key(path, key)
        keyring = AgentKeyring(str(path))
        (identity,) = keyring.identities()
        assert identity.key == parse_line(public, "key.pub")
        assert identity.needs_person == "unknown"
        signature = keyring.sign(identity, INDEX_NAMESPACE, MESSAGE)
        (attempt,) = silent_signing(keyring)
    assert is_good(signature, identity)
    assert openssh.accepts(tmp_path, public, INDEX_NAMESPACE, MESSAGE, signature)
    assert told(attempt) == ("signed", ["SIG030"])
    assert attempt.findings[0].severity == "warning"
    assert dict(attempt.findings[0].facts)["key"] == identity.key.key_id


@needs_ssh_agent
@needs_ssh_keygen
def test_an_agent_that_asks_a_person_who_says_no_does_not_sign(tmp_path: Path) -> None:
    with openssh.agent(tmp_path, **askpass(tmp_path, "exit 1")) as path:
        openssh.add_key(path, openssh.make_key(tmp_path / "key"), "-c")
        keyring = AgentKeyring(str(path))
        (identity,) = keyring.identities()
        with pytest.raises(NoKeyError, match="declined"):
            keyring.sign(identity, INDEX_NAMESPACE, MESSAGE)
        (attempt,) = silent_signing(keyring)
    assert told(attempt) == ("not-signed", [])


@needs_ssh_agent
@needs_ssh_keygen
def test_an_agent_that_asks_a_person_who_says_yes_signs(tmp_path: Path) -> None:
    with openssh.agent(tmp_path, **askpass(tmp_path, f"echo asked >> {tmp_path}/asked; echo yes")) as path:
        openssh.add_key(path, openssh.make_key(tmp_path / "key"), "-c")
        keyring = AgentKeyring(str(path))
        (identity,) = keyring.identities()
        assert is_good(keyring.sign(identity, INDEX_NAMESPACE, MESSAGE), identity)
        assert (tmp_path / "asked").read_text() == "asked\n"
        # A program that says yes at once is no person: an agent set up like this one is as good as silent.
        (attempt,) = silent_signing(keyring)
    assert told(attempt) == ("signed", ["SIG030"])


@needs_ssh_agent
@needs_ssh_keygen
def test_an_agent_that_waits_for_a_person_is_not_silent(tmp_path: Path) -> None:
    waiting = f"while [ ! -e {tmp_path}/answered ]; do sleep 0.05; done; exit 1"
    with openssh.agent(tmp_path, **askpass(tmp_path, waiting)) as path:
        openssh.add_key(path, openssh.make_key(tmp_path / "key"), "-c")
        keyring = AgentKeyring(str(path), person_seconds=0.2, silent_seconds=0.2)
        identities = keyring.identities()
        (attempt,) = silent_signing(keyring, identities)
        with pytest.raises(NoKeyError, match="in time"):
            keyring.sign(identities[0], INDEX_NAMESPACE, MESSAGE)
        (tmp_path / "answered").touch()
    assert told(attempt) == ("not-signed", [])


@needs_ssh_agent
@needs_ssh_keygen
def test_a_key_taken_out_of_the_agent_does_not_sign(tmp_path: Path) -> None:
    with openssh.agent(tmp_path) as path:
        openssh.add_key(path, openssh.make_key(tmp_path / "key"))
        keyring = AgentKeyring(str(path))
        (identity,) = keyring.identities()
        openssh.add_key(path, tmp_path / "key", "-d")
        assert keyring.identities() == ()
        with pytest.raises(NoKeyError, match="declined"):
            keyring.sign(identity, INDEX_NAMESPACE, MESSAGE)


# --- agents that we play ourselves: security keys, and answers that no honest agent gives -----------------------------


@contextmanager
def playing(folder: Path, *answers: bytes | None) -> Iterator[Path]:
    """An agent that gives these answers, one a connection; ``None`` is to hang up, a lone byte is to fall silent."""
    path = folder / "played"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen()
    done = threading.Event()

    def serve() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection:
                size = int.from_bytes(connection.recv(4, socket.MSG_WAITALL), "big")
                connection.recv(size, socket.MSG_WAITALL)
                if answer is not None:
                    connection.sendall(answer)
                if answer is not None and len(answer) == 1:
                    done.wait(20)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield path
    finally:
        done.set()
        thread.join(20)
        listener.close()
    assert not thread.is_alive()


def listing(*keys: MemoryKey) -> bytes:
    pairs = b"".join(put_string(key.public.blob) + put_string(key.public.comment.encode()) for key in keys)
    return put_string(b"\x0c" + put_uint32(len(keys)) + pairs)


def signing(key: MemoryKey, *, namespace: str = INDEX_NAMESPACE, message: bytes = MESSAGE, flags: int = 1) -> bytes:
    blob = decode(key.sign(namespace, message, flags=flags), "s").blob
    return put_string(b"\x0e" + put_string(blob))


def identity_of(key: MemoryKey, path: Path) -> Identity:
    return Identity(key=key.public, where=str(path), needs_person="unknown")


def test_a_touched_security_key_signs_through_an_agent(tmp_path: Path) -> None:
    with playing(tmp_path, listing(TOUCH), signing(TOUCH)) as path:
        keyring = AgentKeyring(str(path))
        (identity,) = keyring.identities()
        assert identity.key == TOUCH.public
        assert is_good(keyring.sign(identity, INDEX_NAMESPACE, MESSAGE), identity)


def test_an_untouched_security_key_is_an_error_before_it_is_a_broken_seal(tmp_path: Path) -> None:
    with playing(tmp_path, signing(TOUCH, flags=0)) as path, pytest.raises(NoKeyError, match="without being touched"):
        AgentKeyring(str(path)).sign(identity_of(TOUCH, path), INDEX_NAMESPACE, MESSAGE)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [(0, ("signed", ["SIG015"])), (1, ("not-signed", []))],
    ids=["untouched", "touched"],
)
def test_a_security_key_says_itself_whether_somebody_was_there(
    tmp_path: Path, flags: int, expected: tuple[str, list[str]]
) -> None:
    message = b"This signature seals nothing. It shows whether a key signs while nobody is there.\n"
    with playing(tmp_path, signing(TOUCH, namespace=PROBE_NAMESPACE, message=message, flags=flags)) as path:
        (attempt,) = silent_signing(AgentKeyring(str(path)), (identity_of(TOUCH, path),))
    assert told(attempt) == expected


def test_a_security_key_that_waits_for_its_touch_is_not_silent(tmp_path: Path) -> None:
    with playing(tmp_path, b"\0") as path:
        (attempt,) = silent_signing(AgentKeyring(str(path), silent_seconds=0.2), (identity_of(TOUCH, path),))
    assert told(attempt) == ("not-signed", [])


BAD_SIGNATURES = {
    "by another key": signing(MemoryKey("mallory")),
    "over other bytes": signing(ADA, message=b"other"),
    "for another purpose": signing(ADA, namespace="upheld-root@v1"),
    "of a security key": signing(TOUCH),
    "too short": put_string(b"\x0e" + put_string(put_string(b"ssh-ed25519") + put_string(b"s" * 63))),
    "with a tail": put_string(b"\x0e" + put_string(decode(ADA.sign(INDEX_NAMESPACE, MESSAGE), "s").blob) + b"\0"),
    "no signature": put_string(b"\x0e"),
    "another answer": put_string(b"\x0c" + put_uint32(0)),
    "success": put_string(b"\x06"),
    "nothing": put_string(b""),
    "four gigabytes": b"\xff\xff\xff\xff",
    "cut short": b"\x00\x00\x00\x09\x0e",
    "hung up": None,
    "declined": FAILURE,
}


@pytest.mark.parametrize("name", BAD_SIGNATURES)
def test_no_bad_signature_leaves_the_keyring(tmp_path: Path, name: str) -> None:
    with playing(tmp_path, BAD_SIGNATURES[name]) as path, pytest.raises(NoKeyError):
        AgentKeyring(str(path)).sign(identity_of(ADA, path), INDEX_NAMESPACE, MESSAGE)


@pytest.mark.parametrize("name", ["by another key", "too short", "hung up", "four gigabytes"])
def test_a_probe_that_got_no_clear_answer_is_unchecked_not_sound(tmp_path: Path, name: str) -> None:
    with playing(tmp_path, BAD_SIGNATURES[name]) as path:
        (attempt,) = silent_signing(AgentKeyring(str(path)), (identity_of(ADA, path),))
    assert told(attempt) == ("unchecked", [])
    assert attempt.detail


@pytest.mark.parametrize(
    "answer",
    [
        FAILURE,
        None,
        put_string(b""),
        put_string(b"\x0c"),
        put_string(b"\x0c" + put_uint32(1)),
        put_string(b"\x0c" + put_uint32(2**32 - 1)),
        put_string(b"\x0c" + put_uint32(0) + b"\0"),
        put_string(b"\x0c" + put_uint32(1) + b"\xff\xff\xff\xff"),
    ],
)
def test_a_list_that_is_nonsense_is_no_key(tmp_path: Path, answer: bytes | None) -> None:
    with playing(tmp_path, answer) as path, pytest.raises(NoKeyError):
        AgentKeyring(str(path)).identities()


def test_a_list_leaves_out_what_we_do_not_use(tmp_path: Path) -> None:
    entries = [
        (put_string(b"ssh-rsa") + b"x" * 300, b"rsa"),
        (put_string(b"ssh-ed25519-cert-v01@openssh.com") + b"x" * 300, b"certificate"),
        (put_string(b"ssh-ed25519") + put_string(bytes(32)), b"small order"),
        (b"", b"empty"),
        (ADA.public.blob, b"\x1b[31mred\n"),
        (TOUCH.public.blob, b"touch"),
    ]
    body = b"".join(put_string(blob) + put_string(comment) for blob, comment in entries)
    with playing(tmp_path, put_string(b"\x0c" + put_uint32(len(entries)) + body)) as path:
        keys = [identity.key for identity in AgentKeyring(str(path)).identities()]
    assert keys == [ADA.public.replace(comment=""), TOUCH.public]


@pytest.mark.parametrize("name", ["missing", "x" * 300, "nul\0"])
def test_no_agent_is_no_key(tmp_path: Path, name: str) -> None:
    keyring = AgentKeyring(str(tmp_path / name))
    with pytest.raises(NoKeyError, match="cannot be reached"):
        keyring.identities()
    (attempt,) = silent_signing(keyring, (identity_of(ADA, tmp_path),))
    assert attempt.outcome == "unchecked"


# --- other keyrings ---------------------------------------------------------------------------------------------------


def test_a_key_file_is_silent_just_when_it_has_no_passphrase(tmp_path: Path) -> None:
    def passphrase(_: str) -> str:
        return "correct horse"

    def nobody(name: str) -> str:
        raise AssertionError(f"somebody was asked for the passphrase of {name}")

    plain, locked = str(tmp_path / "plain"), str(tmp_path / "locked")
    make_key_file(plain, ask_passphrase=None)
    make_key_file(locked, ask_passphrase=passphrase)
    assert [told(attempt) for attempt in silent_signing(FileKeyring(plain, nobody))] == [("signed", ["SIG030"])]
    assert [told(attempt) for attempt in silent_signing(FileKeyring(locked, nobody))] == [("not-signed", [])]


@pytest.mark.parametrize("key", [ADA, TOUCH])
def test_the_keyring_for_tests_behaves_like_the_real_ones(key: MemoryKey) -> None:
    keyrings: list[Keyring] = [MemoryKeyring(key), MemoryKeyring(key, asks_a_person=False)]
    for keyring in keyrings:
        (identity,) = keyring.identities()
        assert is_good(keyring.sign(identity, INDEX_NAMESPACE, MESSAGE), identity)
    assert keyrings[0].sign_silently(identity, INDEX_NAMESPACE, MESSAGE) is None
    with pytest.raises(NoKeyError, match="declined"):
        MemoryKeyring(key, person_confirms=False).sign(identity, INDEX_NAMESPACE, MESSAGE)
    with pytest.raises(NoKeyError, match="no key"):
        MemoryKeyring().sign(identity, INDEX_NAMESPACE, MESSAGE)


def test_an_agent_that_falls_silent_is_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring_agent, "_LIST_SECONDS", 0.2)
    with playing(tmp_path, b"\0") as path, pytest.raises(NoKeyError, match="does not answer"):
        AgentKeyring(str(path)).identities()


def test_an_agent_that_drips_cannot_stretch_the_deadline(tmp_path: Path) -> None:
    path, stop = tmp_path / "dripping", threading.Event()
    sent: list[int] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()

        def drip() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                for byte in put_uint32(200_000) + bytes(200_000):
                    connection.sendall(bytes((byte,)))
                    sent.append(byte)
                    if stop.wait(0.02):
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            with pytest.raises(NoKeyError, match="in time"):
                AgentKeyring(str(path), person_seconds=0.3).sign(identity_of(ADA, path), INDEX_NAMESPACE, MESSAGE)
        finally:
            stop.set()
            thread.join(20)
    assert 4 < len(sent) < 200_000


def test_an_unlocked_key_of_an_agent_asks_the_agent_for_each_signature(tmp_path: Path) -> None:
    with playing(tmp_path, signing(ADA), FAILURE) as path:
        identity = identity_of(ADA, path)
        key = AgentKeyring(str(path)).unlock(identity)
        assert is_good(key.sign(INDEX_NAMESPACE, MESSAGE), identity)
        with pytest.raises(NoKeyError, match="declined"):
            key.sign(INDEX_NAMESPACE, MESSAGE)
