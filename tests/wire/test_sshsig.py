from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import FaultError
from upheld.testing.keys import MemoryKey
from upheld.wire.sshsig import SshSignature, decode, encode, to_be_signed
from upheld.wire.sshwire import put_string, put_uint32

PLAIN = MemoryKey("ada")
TOUCH = MemoryKey("touch", is_hardware=True)

signatures = st.builds(
    lambda key, namespace, hash_algorithm, signature, flags, counter: SshSignature(
        key=key.public.replace(comment=""),
        namespace=namespace,
        hash_algorithm=hash_algorithm,
        signature=signature,
        flags=flags if key.public.is_hardware else None,
        counter=counter if key.public.is_hardware else None,
    ),
    st.sampled_from([PLAIN, TOUCH]),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=60),
    st.sampled_from(["sha512", "sha256"]),
    st.binary(min_size=64, max_size=64),
    st.integers(0, 255),
    st.integers(0, 2**32 - 1),
)


def envelope(
    *,
    magic: bytes = b"SSHSIG",
    version: int = 1,
    key: bytes = PLAIN.public.blob,
    namespace: bytes = b"ns",
    reserved: bytes = b"",
    hash_algorithm: bytes = b"sha512",
    signature: bytes = put_string(b"ssh-ed25519") + put_string(b"s" * 64),
    tail: bytes = b"",
) -> bytes:
    fields = b"".join(map(put_string, (key, namespace, reserved, hash_algorithm, signature)))
    return armor(magic + put_uint32(version) + fields + tail)


def armor(packed: bytes, columns: int = 70) -> bytes:
    text = base64.b64encode(packed)
    lines = b"".join(text[at : at + columns] + b"\n" for at in range(0, len(text), columns))
    return b"-----BEGIN SSH SIGNATURE-----\n" + lines + b"-----END SSH SIGNATURE-----\n"


@given(signatures)
def test_an_envelope_comes_back_as_it_was(signature: SshSignature) -> None:
    assert decode(encode(signature), "s") == signature


def outcome(data: bytes) -> str:
    try:
        signature = decode(data, "s")
    except FaultError as fault:
        return fault.code
    return "read" if encode(signature) == data else "read, but spelled otherwise"


@given(st.binary(max_size=600))
def test_arbitrary_bytes_are_read_or_refused_and_nothing_else(packed: bytes) -> None:
    for data in (packed, armor(packed), armor(b"SSHSIG" + put_uint32(1) + packed)):
        assert outcome(data) in {"read", "SIG010", "SIG011", "SIG016"}


def test_the_hand_made_envelope_is_sound_before_anything_is_broken() -> None:
    assert encode(decode(envelope(), "s")) == envelope()


GOOD = envelope()
BROKEN = {
    "no bytes": (b"", "SIG010"),
    "another magic": (envelope(magic=b"SSHSIX"), "SIG010"),
    "version 0": (envelope(version=0), "SIG010"),
    "version 2": (envelope(version=2), "SIG010"),
    "bytes after the end": (envelope(tail=b"\0"), "SIG010"),
    "a reserved field in use": (envelope(reserved=b"x"), "SIG010"),
    "no namespace": (envelope(namespace=b""), "SIG010"),
    "a namespace that is not UTF-8": (envelope(namespace=b"\xff"), "SIG010"),
    "a namespace of 257 bytes": (envelope(namespace=b"n" * 257), "SIG010"),
    "sha1": (envelope(hash_algorithm=b"sha1"), "SIG011"),
    "no hash": (envelope(hash_algorithm=b""), "SIG011"),
    "SHA512 in capitals": (envelope(hash_algorithm=b"SHA512"), "SIG011"),
    "an RSA key": (envelope(key=put_string(b"ssh-rsa") + put_string(b"\3") + put_string(b"n" * 256)), "SIG011"),
    "a certificate": (envelope(key=put_string(b"ssh-ed25519-cert-v01@openssh.com") + b"x" * 99), "SIG011"),
    "a key with a tail": (envelope(key=PLAIN.public.blob + b"\0"), "SIG016"),
    "no key": (envelope(key=b""), "SIG016"),
    "an RSA signature": (envelope(signature=put_string(b"rsa-sha2-512") + put_string(b"s" * 256)), "SIG011"),
    "a short signature": (envelope(signature=put_string(b"ssh-ed25519") + put_string(b"s" * 63)), "SIG010"),
    "a long signature": (envelope(signature=put_string(b"ssh-ed25519") + put_string(b"s" * 65)), "SIG010"),
    "a signature with a tail": (
        envelope(signature=put_string(b"ssh-ed25519") + put_string(b"s" * 64) + b"\1\0\0\0\7"),
        "SIG010",
    ),
    "a security key's signature without flags": (
        envelope(key=TOUCH.public.blob, signature=put_string(TOUCH.public.algorithm.encode()) + put_string(b"s" * 64)),
        "SIG010",
    ),
    "a plain signature for a security key": (envelope(key=TOUCH.public.blob), "SIG011"),
    "a length of four gigabytes": (armor(b"SSHSIG" + put_uint32(1) + b"\xff\xff\xff\xff"), "SIG010"),
    "76 columns": (armor(base64.b64decode(b"".join(GOOD.split(b"\n")[1:-2])), 76), "SIG010"),
    "one long line": (armor(base64.b64decode(b"".join(GOOD.split(b"\n")[1:-2])), 9999), "SIG010"),
    "carriage returns": (GOOD.replace(b"\n", b"\r\n"), "SIG010"),
    "no last line feed": (GOOD[:-1], "SIG010"),
    "a second last line feed": (GOOD + b"\n", "SIG010"),
    "a blank line inside": (GOOD.replace(b"\n", b"\n\n", 1), "SIG010"),
    "text in front": (b"hello\n" + GOOD, "SIG010"),
    "a byte-order mark": (b"\xef\xbb\xbf" + GOOD, "SIG010"),
    "two signatures": (GOOD + GOOD, "SIG010"),
    "another armor": (GOOD.replace(b"SSH SIGNATURE", b"PGP SIGNATURE"), "SIG010"),
    "not base64": (GOOD.replace(b"U1NI", b"U1N*"), "SIG010"),
    "only the armor": (b"-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n", "SIG010"),
    "nine thousand bytes": (envelope(tail=b"x" * 9000), "SIG010"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_envelope_is_refused_by_name(name: str) -> None:
    data, code = BROKEN[name]
    with pytest.raises(FaultError) as caught:
        decode(data, "seals/x.sig")
    assert (caught.value.code, caught.value.place) == (code, "seals/x.sig")


@pytest.mark.parametrize("namespace", ["", "n" * 257])
def test_a_namespace_that_no_envelope_can_carry_is_not_signed(namespace: str) -> None:
    with pytest.raises(ValueError, match="namespace"):
        to_be_signed(namespace, b"message")


def test_an_unknown_hash_is_not_signed() -> None:
    with pytest.raises(ValueError, match="md5"):
        to_be_signed("ns", b"message", "md5")


def test_the_touch_is_read_from_the_flags() -> None:
    said = [decode(TOUCH.sign("ns", b"m", flags=flags), "s").user_present for flags in (0, 1, 4, 5)]
    assert said == [False, True, False, True]
    assert decode(PLAIN.sign("ns", b"m"), "s").user_present is None
