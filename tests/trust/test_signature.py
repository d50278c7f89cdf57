from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import openssh
from openssh import needs_ssh_keygen
from upheld.model.finding import Finding
from upheld.testing.keys import MemoryKey
from upheld.trust.signature import Envelope, Signer, count_signers, verify
from upheld.wire.sshkey import ED25519, PublicKey, parse_line
from upheld.wire.sshsig import decode, encode

ADA = MemoryKey("ada")
BOB = MemoryKey("bob")
TOUCH = MemoryKey("touch", is_hardware=True)
NAMESPACE = "upheld-index@v1"
MESSAGE = b'{"version": 7}\n'


def sig(data: bytes, place: str = "seals/x.sig") -> Envelope:
    return Envelope(place=place, data=data)


def verdict(data: bytes, *keys: PublicKey, message: bytes = MESSAGE, namespace: str = NAMESPACE) -> str:
    """The finding's code, or ``good``."""
    result = verify(sig(data), message, namespace, keys)
    return result.code if isinstance(result, Finding) else "good"


@pytest.mark.parametrize("hash_algorithm", ["sha512", "sha256"])
@pytest.mark.parametrize("key", [ADA, TOUCH], ids=["plain", "touched"])
def test_a_good_signature_names_its_signer(key: MemoryKey, hash_algorithm: str) -> None:
    data = key.sign(NAMESPACE, MESSAGE, hash_algorithm=hash_algorithm)
    result = verify(sig(data), MESSAGE, NAMESPACE, (BOB.public, key.public))
    assert result == Signer(key=key.public, user_present=True if key is TOUCH else None, place="seals/x.sig")


def test_each_thing_that_can_be_wrong_has_its_code() -> None:
    good = ADA.sign(NAMESPACE, MESSAGE)
    assert verdict(good, ADA.public) == "good"
    assert verdict(good, ADA.public, message=MESSAGE + b" ") == "SIG013"
    assert verdict(good, ADA.public, namespace="upheld-root@v1") == "SIG012"
    assert verdict(good, ADA.public, namespace="UPHELD-index@v1") == "SIG012"
    assert verdict(good, BOB.public) == "SIG014"
    assert verdict(good) == "SIG014"
    assert verdict(good[:-1], ADA.public) == "SIG010"
    assert verdict(TOUCH.sign(NAMESPACE, MESSAGE, flags=0), TOUCH.public) == "SIG015"
    assert verdict(TOUCH.sign(NAMESPACE, MESSAGE, flags=4), TOUCH.public) == "SIG015"


def test_a_signature_is_not_moved_to_another_key_or_namespace() -> None:
    parsed = decode(ADA.sign(NAMESPACE, MESSAGE), "s")
    assert verdict(encode(parsed.replace(key=BOB.public)), BOB.public) == "SIG013"
    assert verdict(encode(parsed.replace(namespace="other")), ADA.public, namespace="other") == "SIG013"
    assert verdict(encode(parsed.replace(hash_algorithm="sha256")), ADA.public) == "SIG013"


def test_a_touch_cannot_be_claimed_afterwards() -> None:
    parsed = decode(TOUCH.sign(NAMESPACE, MESSAGE, flags=0), "s")
    assert verdict(encode(parsed.replace(flags=1)), TOUCH.public) == "SIG013"
    assert verdict(encode(parsed.replace(counter=8)), TOUCH.public) == "SIG013"
    other = MemoryKey("touch", is_hardware=True, application="ssh:other").public
    assert verdict(encode(parsed.replace(key=other)), other) == "SIG013"


def test_a_security_key_is_not_its_plain_twin() -> None:
    twin = PublicKey(algorithm=ED25519, raw=TOUCH.public.raw)
    assert verdict(TOUCH.sign(NAMESPACE, MESSAGE), twin) == "SIG014"


def test_a_listed_key_that_is_no_point_of_the_curve_is_a_bad_signature() -> None:
    off_curve = (2).to_bytes(32, "little")
    parsed = decode(ADA.sign(NAMESPACE, MESSAGE), "s")
    key = PublicKey(algorithm=ED25519, raw=off_curve)
    assert verdict(encode(parsed.replace(key=key)), key) == "SIG013"


@given(st.data(), st.sampled_from([ADA, TOUCH]))
def test_no_single_changed_byte_ever_verifies(data: st.DataObject, key: MemoryKey) -> None:
    good = key.sign(NAMESPACE, MESSAGE)
    at = data.draw(st.integers(0, len(good) - 1))
    changed = bytes((good[at] ^ data.draw(st.integers(1, 255)),))
    assert verdict(good[:at] + changed + good[at + 1 :], ADA.public, BOB.public, TOUCH.public) != "good"


def test_no_single_flipped_bit_ever_verifies() -> None:
    for key in (ADA, TOUCH):
        good = key.sign(NAMESPACE, MESSAGE)
        for at in range(len(good) * 8):
            flipped = bytearray(good)
            flipped[at // 8] ^= 1 << at % 8
            assert verdict(bytes(flipped), key.public) != "good", (at // 8, at % 8)


@given(st.data())
def test_no_changed_byte_of_the_message_verifies(data: st.DataObject) -> None:
    message = data.draw(st.binary(min_size=1, max_size=200))
    at = data.draw(st.integers(0, len(message) - 1))
    changed = message[:at] + bytes((message[at] ^ data.draw(st.integers(1, 255)),)) + message[at + 1 :]
    good = ADA.sign(NAMESPACE, message)
    assert verdict(good, ADA.public, message=message) == "good"
    assert verdict(good, ADA.public, message=changed) == "SIG013"


# --- counting ---------------------------------------------------------------------------------------------------------


def count(keys: tuple[PublicKey, ...], threshold: int, *envelopes: bytes) -> tuple[int, bool]:
    files = tuple(sig(data, f"{at}.sig") for at, data in enumerate(envelopes))
    tally = count_signers(files, MESSAGE, NAMESPACE, keys, threshold)
    assert len(tally.rejected) + len(tally.signers) <= len(files)
    return len(tally.signers), tally.is_met


def test_two_keys_meet_a_threshold_of_two() -> None:
    both = (ADA.sign(NAMESPACE, MESSAGE), BOB.sign(NAMESPACE, MESSAGE))
    assert count((ADA.public, BOB.public), 2, *both) == (2, True)
    assert count((ADA.public, BOB.public), 3, *both) == (2, False)


def test_one_key_counts_once_however_often_it_signs() -> None:
    thrice = (
        ADA.sign(NAMESPACE, MESSAGE),
        ADA.sign(NAMESPACE, MESSAGE),
        ADA.sign(NAMESPACE, MESSAGE, hash_algorithm="sha256"),
    )
    assert count((ADA.public, BOB.public), 2, *thrice) == (1, False)


def test_one_key_counts_once_under_two_comments() -> None:
    keys = (ADA.public, ADA.public.replace(comment="somebody else"))
    assert count(keys, 2, ADA.sign(NAMESPACE, MESSAGE), ADA.sign(NAMESPACE, MESSAGE, hash_algorithm="sha256")) == (
        1,
        False,
    )


def test_one_private_key_counts_once_under_two_key_types_and_applications() -> None:
    plain, first = MemoryKey("x"), MemoryKey("x", is_hardware=True)
    second = MemoryKey("x", is_hardware=True, application="ssh:again")
    keys = (plain.public, first.public, second.public)
    signed = [key.sign(NAMESPACE, MESSAGE) for key in (plain, first, second)]
    assert all(verdict(data, *keys) == "good" for data in signed)
    assert count(keys, 2, *signed) == (1, False)


def test_a_bad_signature_beside_good_ones_is_told_and_takes_nothing_away() -> None:
    files = (sig(b"nonsense", "bad.sig"), sig(ADA.sign(NAMESPACE, MESSAGE), "good.sig"))
    tally = count_signers(files, MESSAGE, NAMESPACE, (ADA.public,), 1)
    assert tally.is_met
    assert [signer.place for signer in tally.signers] == ["good.sig"]
    assert [(finding.code, finding.place) for finding in tally.rejected] == [("SIG010", "bad.sig")]


@pytest.mark.parametrize("threshold", [0, -1])
def test_a_threshold_below_one_is_never_met(threshold: int) -> None:
    assert count((ADA.public,), threshold, ADA.sign(NAMESPACE, MESSAGE)) == (1, False)


def test_no_signatures_meet_nothing() -> None:
    assert count((ADA.public,), 1) == (0, False)


# --- OpenSSH agrees ---------------------------------------------------------------------------------------------------


@needs_ssh_keygen
@pytest.mark.parametrize("hash_algorithm", ["sha512", "sha256"])
def test_ssh_keygen_accepts_ours_and_refuses_what_is_wrong(tmp_path: Path, hash_algorithm: str) -> None:
    good = ADA.sign(NAMESPACE, MESSAGE, hash_algorithm=hash_algorithm)
    line = ADA.public.line
    assert openssh.accepts(tmp_path, line, NAMESPACE, MESSAGE, good)
    assert not openssh.accepts(tmp_path, line, "upheld-root@v1", MESSAGE, good)
    assert not openssh.accepts(tmp_path, BOB.public.line, NAMESPACE, MESSAGE, good)
    assert not openssh.accepts(tmp_path, line, NAMESPACE, MESSAGE[:-1] + b" ", good)


@needs_ssh_keygen
@pytest.mark.parametrize("hash_algorithm", ["sha512", "sha256"])
def test_we_accept_what_ssh_keygen_signed(tmp_path: Path, hash_algorithm: str) -> None:
    path = openssh.make_key(tmp_path / "key")
    key = parse_line(path.with_suffix(".pub").read_text().rstrip("\n"), "key.pub")
    data = openssh.sign(path, NAMESPACE, MESSAGE, "-O", f"hashalg={hash_algorithm}")
    assert verdict(data, key) == "good"
    assert encode(decode(data, "s")) == data
    assert verdict(data, key, namespace="upheld-root@v1") == "SIG012"
    assert verdict(data, key, message=MESSAGE + b"\n") == "SIG013"
    assert verdict(data, ADA.public) == "SIG014"


@needs_ssh_keygen
@pytest.mark.parametrize("kind", ["rsa", "ecdsa"])
def test_a_signature_by_another_kind_of_key_is_unsupported(tmp_path: Path, kind: str) -> None:
    path = openssh.make_key(tmp_path / "key", kind=kind)
    assert verdict(openssh.sign(path, NAMESPACE, MESSAGE), ADA.public) == "SIG011"


@needs_ssh_keygen
@pytest.mark.parametrize("flags", [0x01, 0x05])
def test_ssh_keygen_agrees_on_a_touched_security_key(tmp_path: Path, flags: int) -> None:
    good = TOUCH.sign(NAMESPACE, MESSAGE, flags=flags, counter=2**31)
    assert openssh.accepts(tmp_path, TOUCH.public.line, NAMESPACE, MESSAGE, good)
    assert not openssh.accepts(tmp_path, TOUCH.public.line, NAMESPACE, MESSAGE + b"x", good)
    assert verdict(good, TOUCH.public) == "good"


@needs_ssh_keygen
def test_an_untouched_security_key_is_genuine_to_ssh_keygen_and_still_refused_here(tmp_path: Path) -> None:
    untouched = TOUCH.sign(NAMESPACE, MESSAGE, flags=0)
    # `-Y verify` does not ask for the touch, so what `ssh-keygen` says of such a seal is less than what we say.
    assert openssh.accepts(tmp_path, TOUCH.public.line, NAMESPACE, MESSAGE, untouched)
    assert verdict(untouched, TOUCH.public) == "SIG015"
    claimed = encode(decode(untouched, "s").replace(flags=1))
    assert not openssh.accepts(tmp_path, TOUCH.public.line, NAMESPACE, MESSAGE, claimed)
