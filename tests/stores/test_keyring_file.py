from __future__ import annotations

import base64
import os
import stat
import subprocess
from pathlib import Path

import pytest

import openssh
from openssh import needs_ssh_keygen
from upheld.errors import NoKeyError, StorageError, UsageError
from upheld.model.finding import Finding
from upheld.ports.keyring import Identity, Keyring
from upheld.stores.keyring_file import FileKeyring, make_key_file
from upheld.testing.keys import MemoryKey
from upheld.trust.signature import INDEX_NAMESPACE, Envelope, verify
from upheld.wire.sshwire import put_string, put_uint32

MESSAGE = b"index bytes\n"


class Person:
    """Answers with one passphrase and counts how often it was asked."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def __call__(self, name: str) -> str | None:
        self.asked.append(name)
        return self.answer


def nobody(name: str) -> str | None:
    raise AssertionError(f"somebody was asked for the passphrase of {name}")


def only(keyring: Keyring) -> Identity:
    (identity,) = keyring.identities()
    return identity


def is_good(signature: bytes | None, identity: Identity) -> bool:
    envelope = Envelope(place="s", data=signature or b"")
    return not isinstance(verify(envelope, MESSAGE, INDEX_NAMESPACE, (identity.key,)), Finding)


def test_a_key_made_without_a_passphrase_signs_and_asks_nobody(tmp_path: Path) -> None:
    path = str(tmp_path / "key")
    made = make_key_file(path, ask_passphrase=None)
    keyring = FileKeyring(path, nobody)
    assert only(keyring) == made
    assert (made.needs_person, made.where) == ("never", path)
    assert is_good(keyring.sign(made, INDEX_NAMESPACE, MESSAGE), made)
    assert is_good(keyring.sign_silently(made, INDEX_NAMESPACE, MESSAGE), made)


def test_a_key_made_with_a_passphrase_asks_for_every_signature(tmp_path: Path) -> None:
    path = str(tmp_path / "key")
    made = make_key_file(path, ask_passphrase=Person("correct horse é"))
    person = Person("correct horse é")
    keyring = FileKeyring(path, person)
    assert only(keyring) == made
    assert made.needs_person == "always"
    assert keyring.sign_silently(made, INDEX_NAMESPACE, MESSAGE) is None
    assert person.asked == []
    assert is_good(keyring.sign(made, INDEX_NAMESPACE, MESSAGE), made)
    assert is_good(keyring.sign(made, INDEX_NAMESPACE, MESSAGE), made)
    assert person.asked == [path, path]


def test_a_new_key_is_its_users_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_key_file(str(tmp_path / "key"), ask_passphrase=None)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_two_new_keys_differ(tmp_path: Path) -> None:
    first, second = (make_key_file(str(tmp_path / name), ask_passphrase=None) for name in "ab")
    assert first.key.raw != second.key.raw


@pytest.mark.parametrize("plant", ["file", "link", "dangling"])
def test_a_key_is_never_written_over_or_through_anything(tmp_path: Path, plant: str) -> None:
    (tmp_path / "other").write_text("precious")
    if plant == "file":
        (tmp_path / "key").write_text("precious")
    else:
        (tmp_path / "key").symlink_to(tmp_path / ("other" if plant == "link" else "nowhere"))
    with pytest.raises(UsageError, match="exists"):
        make_key_file(str(tmp_path / "key"), ask_passphrase=None)
    assert (tmp_path / "other").read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


def test_no_key_is_left_behind_when_the_person_gives_no_passphrase(tmp_path: Path) -> None:
    with pytest.raises(NoKeyError, match="nobody gave"):
        make_key_file(str(tmp_path / "key"), ask_passphrase=Person(None))
    with pytest.raises(UsageError, match="empty"):
        make_key_file(str(tmp_path / "key"), ask_passphrase=Person(""))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["nowhere/key", "nul\0"])
def test_a_place_that_cannot_be_written_is_a_storage_error(tmp_path: Path, path: str) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        make_key_file(f"{tmp_path}/{path}", ask_passphrase=None)


def test_half_a_key_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        make_key_file(str(tmp_path / "key"), ask_passphrase=None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("answer", ["wrong", "", "correct ", None])
def test_a_wrong_passphrase_is_no_key(tmp_path: Path, answer: str | None) -> None:
    path = str(tmp_path / "key")
    made = make_key_file(path, ask_passphrase=Person("correct"))
    with pytest.raises(NoKeyError, match="passphrase"):
        FileKeyring(path, Person(answer)).sign(made, INDEX_NAMESPACE, MESSAGE)


class Answers:
    """Answers with one passphrase after the other."""

    def __init__(self, *answers: str | None) -> None:
        self.left = list(answers)
        self.asked: list[str] = []

    def __call__(self, name: str) -> str | None:
        self.asked.append(name)
        return self.left.pop(0)


def test_a_mistyped_passphrase_may_be_typed_again(tmp_path: Path) -> None:
    path = str(tmp_path / "key")
    made = make_key_file(path, ask_passphrase=Person("correct"))
    ask = Answers("corect", "Correct", "correct")
    assert FileKeyring(path, ask).sign(made, INDEX_NAMESPACE, MESSAGE)
    assert ask.asked[0] == path
    assert all("wrong, try again" in asked for asked in ask.asked[1:])


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        (("a", "b", "c", "correct"), 3),
        (("a", "a", "correct"), 2),  # the same answer again is a program's
        (("a", None, "correct"), 2),
    ],
)
def test_the_tries_come_to_an_end(tmp_path: Path, answers: tuple[str | None, ...], asked: int) -> None:
    path = str(tmp_path / "key")
    made = make_key_file(path, ask_passphrase=Person("correct"))
    ask = Answers(*answers)
    with pytest.raises(NoKeyError, match="passphrase"):
        FileKeyring(path, ask).unlock(made)
    assert len(ask.asked) == asked


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602, 0o610, 0o644])
def test_a_key_that_others_may_touch_is_not_used(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    make_key_file(str(path), ask_passphrase=None)
    path.chmod(mode)
    with pytest.raises(NoKeyError, match="others may read or write"):
        FileKeyring(str(path), nobody).identities()


def test_a_key_with_a_second_name_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "key"
    make_key_file(str(path), ask_passphrase=None)
    os.link(path, tmp_path / "copy")
    with pytest.raises(NoKeyError, match="second name"):
        FileKeyring(str(path), nobody).identities()


def test_a_key_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "key")
    make_key_file(path, ask_passphrase=None)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(NoKeyError, match="another user"):
        FileKeyring(path, nobody).identities()


def test_what_is_not_a_file_is_refused_without_blocking(tmp_path: Path) -> None:
    make_key_file(str(tmp_path / "key"), ask_passphrase=None)
    (tmp_path / "link").symlink_to("key")
    os.mkfifo(tmp_path / "fifo", 0o600)
    (tmp_path / "folder").mkdir(mode=0o700)
    for name in ("link", "fifo", "folder", "missing", "nul\0"):
        with pytest.raises(NoKeyError):
            FileKeyring(str(tmp_path / name), nobody).identities()


def test_a_key_exchanged_since_it_was_listed_does_not_sign(tmp_path: Path) -> None:
    listed = make_key_file(str(tmp_path / "key"), ask_passphrase=None)
    make_key_file(str(tmp_path / "other"), ask_passphrase=None)
    (tmp_path / "other").replace(tmp_path / "key")
    keyring = FileKeyring(str(tmp_path / "key"), nobody)
    for sign in (keyring.sign, keyring.sign_silently):
        with pytest.raises(NoKeyError, match="no longer holds"):
            sign(listed, INDEX_NAMESPACE, MESSAGE)


def test_every_damaged_byte_of_a_key_file_is_noticed_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "key"
    made = make_key_file(str(path), ask_passphrase=None)
    good = path.read_bytes()
    keyring = FileKeyring(str(path), Person("x"))
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes((good[at] ^ 1,)) + good[at + 1 :])
        try:
            signature = keyring.sign(made, INDEX_NAMESPACE, MESSAGE)
        except NoKeyError:
            continue
        assert is_good(signature, made), at


@pytest.mark.parametrize("data", [b"", b"ssh-ed25519 AAAA\n", b"-----BEGIN PRIVATE KEY-----\n", b"x" * 20_000])
def test_another_file_is_no_key(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(NoKeyError, match="not an OpenSSH private key file"):
        FileKeyring(str(path), nobody).identities()


# --- OpenSSH's own files ----------------------------------------------------------------------------------------------


@needs_ssh_keygen
@pytest.mark.parametrize("passphrase", ["", "correct horse"])
def test_a_key_file_made_by_ssh_keygen_seals(tmp_path: Path, passphrase: str) -> None:
    path = openssh.make_key(tmp_path / "key", passphrase=passphrase)
    keyring = FileKeyring(str(path), Person(passphrase) if passphrase else nobody)
    identity = only(keyring)
    assert identity.needs_person == ("always" if passphrase else "never")
    public = path.with_suffix(".pub").read_text().rstrip("\n")
    assert identity.key.replace(comment="ada").line == public
    signature = keyring.sign(identity, INDEX_NAMESPACE, MESSAGE)
    assert openssh.accepts(tmp_path, public, INDEX_NAMESPACE, MESSAGE, signature)
    assert not openssh.accepts(tmp_path, public, "upheld-root@v1", MESSAGE, signature)


@needs_ssh_keygen
@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_a_key_file_in_another_usual_cipher_is_read(tmp_path: Path, cipher: str) -> None:
    path = openssh.make_key(tmp_path / "key", "-Z", cipher, passphrase="correct horse")
    keyring = FileKeyring(str(path), Person("correct horse"))
    assert is_good(keyring.sign(only(keyring), INDEX_NAMESPACE, MESSAGE), only(keyring))


@needs_ssh_keygen
@pytest.mark.parametrize("cipher", ["aes128-ctr", "chacha20-poly1305@openssh.com"])
def test_a_key_file_in_an_unusual_cipher_is_refused_with_a_way_out_that_works(tmp_path: Path, cipher: str) -> None:
    path = openssh.make_key(tmp_path / "key", "-Z", cipher, passphrase="correct horse")
    keyring = FileKeyring(str(path), Person("correct horse"))
    with pytest.raises(NoKeyError, match="not supported") as caught:
        keyring.sign(only(keyring), INDEX_NAMESPACE, MESSAGE)
    command = caught.value.help.split("`")[1].split()
    subprocess.run([*command, "-q", "-P", "correct horse", "-N", "correct horse"], check=True, capture_output=True)
    assert is_good(keyring.sign(only(keyring), INDEX_NAMESPACE, MESSAGE), only(keyring))


@needs_ssh_keygen
@pytest.mark.parametrize("kind", ["rsa", "ecdsa"])
def test_another_kind_of_key_is_refused_with_the_way_out(tmp_path: Path, kind: str) -> None:
    path = openssh.make_key(tmp_path / "key", kind=kind)
    with pytest.raises(NoKeyError, match="key algorithm") as caught:
        FileKeyring(str(path), nobody).identities()
    assert "ssh-keygen -t ed25519" in caught.value.help


@needs_ssh_keygen
@pytest.mark.parametrize("passphrase", [None, "correct horse"])
def test_ssh_keygen_reads_the_key_that_we_made(tmp_path: Path, passphrase: str | None) -> None:
    path = tmp_path / "key"
    made = make_key_file(str(path), ask_passphrase=None if passphrase is None else Person(passphrase))
    assert openssh.public_of(path, passphrase or "") == made.key.line
    if passphrase is None:
        signature = openssh.sign(path, INDEX_NAMESPACE, MESSAGE)
        assert is_good(signature, made)


# --- files that no tool makes -----------------------------------------------------------------------------------------


def private_file(path: Path, *, cipher: bytes = b"none", keys: int = 1, public: bytes, private: bytes = b"") -> Path:
    """Write a private key file out of its parts."""
    clear = put_string(cipher) + put_string(b"none") + put_string(b"") + put_uint32(keys)
    packed = b"openssh-key-v1\0" + clear + put_string(public) + put_string(private)
    text = base64.encodebytes(packed)
    path.write_bytes(b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + text + b"-----END OPENSSH PRIVATE KEY-----\n")
    path.chmod(0o600)
    return path


def test_the_file_of_a_security_key_points_to_the_agent(tmp_path: Path) -> None:
    path = private_file(tmp_path / "key", public=MemoryKey("touch", is_hardware=True).public.blob)
    with pytest.raises(NoKeyError, match="security key") as caught:
        FileKeyring(str(path), nobody).identities()
    assert "ssh-add" in caught.value.help


def test_a_file_of_several_keys_is_refused(tmp_path: Path) -> None:
    path = private_file(tmp_path / "key", keys=2, public=MemoryKey("ada").public.blob)
    with pytest.raises(NoKeyError, match="more than one key"):
        FileKeyring(str(path), nobody).identities()


def test_a_file_that_shows_one_key_and_holds_another_does_not_sign(tmp_path: Path) -> None:
    """Else a planted file could have a person sign for a key that they never saw."""
    make_key_file(str(tmp_path / "real"), ask_passphrase=None)
    shown = MemoryKey("ada").public.replace(comment="")
    body = base64.b64decode(b"".join((tmp_path / "real").read_bytes().split(b"\n")[1:-2]))
    real = only(FileKeyring(str(tmp_path / "real"), nobody)).key
    path = tmp_path / "key"
    private_file(path, public=shown.blob, private=body.partition(put_string(real.blob))[2][4:])
    keyring = FileKeyring(str(path), nobody)
    assert only(keyring).key == shown
    with pytest.raises(NoKeyError, match="damaged"):
        keyring.sign(only(keyring), INDEX_NAMESPACE, MESSAGE)
