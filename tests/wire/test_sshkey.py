from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from openssh import make_key, needs_ssh_keygen
from upheld.errors import FaultError
from upheld.testing.keys import MemoryKey
from upheld.wire.sshkey import ED25519, PublicKey, decode_blob, parse_line
from upheld.wire.sshwire import put_string

ADA = MemoryKey("ada").public
TOUCH = MemoryKey("ada", is_hardware=True).public
IDENTITY_POINT = (1).to_bytes(32, "little")


def blob_line(blob: bytes, algorithm: str = ED25519) -> str:
    return f"{algorithm} {base64.b64encode(blob).decode()}"


@given(st.text(max_size=20), st.booleans())
def test_a_line_and_a_blob_come_back_as_they_were(name: str, is_hardware: bool) -> None:
    key = MemoryKey(name, is_hardware=is_hardware).public
    assert decode_blob(key.blob, "k", comment=key.comment) == key
    plain = key.replace(comment="")
    assert parse_line(plain.line, "k") == plain


@pytest.mark.parametrize("comment", ["", "ada", "ada@example.org", "Ada  Lovelace's key", "ключ", " "])
def test_a_comment_is_kept_to_the_letter(comment: str) -> None:
    key = ADA.replace(comment=comment)
    assert parse_line(key.line, "k") == key


@needs_ssh_keygen
def test_ssh_keygen_prints_the_same_fingerprint_and_line(tmp_path: Path) -> None:
    public = make_key(tmp_path / "key", comment="ada of London").with_suffix(".pub")
    key = parse_line(public.read_text().rstrip("\n"), "key.pub")
    assert key.line + "\n" == public.read_text()
    assert key.comment == "ada of London"
    printed = subprocess.run(["ssh-keygen", "-l", "-f", public], capture_output=True, text=True, check=True).stdout
    assert key.fingerprint in printed.split()


@needs_ssh_keygen
@pytest.mark.parametrize("key", [ADA, TOUCH])
def test_ssh_keygen_reads_our_line(tmp_path: Path, key: PublicKey) -> None:
    (tmp_path / "key.pub").write_text(key.line + "\n")
    command = ["ssh-keygen", "-l", "-f", str(tmp_path / "key.pub")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert key.fingerprint in printed.split()


def test_a_key_id_is_safe_in_a_file_name_and_ignores_the_comment() -> None:
    assert len(ADA.key_id) == 16
    assert set(ADA.key_id) <= set("0123456789abcdef")
    assert ADA.replace(comment="other").key_id == ADA.key_id
    assert TOUCH.key_id != ADA.key_id


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "SIG011"),
        ("ssh-ed25519", "SIG016"),
        ("ssh-ed25519 ", "SIG016"),
        ("ssh-ed25519 !!!!", "SIG016"),
        ("ssh-ed25519 ключ", "SIG016"),
        ("ssh-rsa AAAA", "SIG011"),
        ("SSH-ED25519 AAAA", "SIG011"),
        (ADA.line + "\n", "SIG016"),
        (" " + ADA.line, "SIG011"),
        (ADA.line.replace(" ", "  ", 1), "SIG016"),
        (ADA.line.replace(" ", "\t", 1), "SIG016"),
        ("no-touch-required " + ADA.line, "SIG011"),
        (ADA.line + "x" * 300, "SIG016"),
        (ADA.line + "\x1b[0m", "SIG016"),
        (ADA.replace(comment="").line + " ", "SIG016"),
        (blob_line(ADA.blob + b"\0"), "SIG016"),
        (blob_line(ADA.blob[:-1]), "SIG016"),
        (blob_line(TOUCH.blob), "SIG016"),
        (blob_line(ADA.blob, TOUCH.algorithm), "SIG016"),
        (blob_line(put_string(b"ssh-rsa") + put_string(b"x")), "SIG011"),
        (blob_line(put_string(b"ssh-ed25519") + put_string(b"x" * 31)), "SIG016"),
        (blob_line(put_string(b"ssh-ed25519") + put_string(b"x" * 33)), "SIG016"),
        (blob_line(put_string(b"ssh-ed25519") + b"\xff\xff\xff\xff" + b"x" * 32), "SIG016"),
    ],
)
def test_any_other_form_of_a_line_is_refused(line: str, code: str) -> None:
    with pytest.raises(FaultError) as caught:
        parse_line(line, "trust/1.json", path="keys[0].public_key")
    assert caught.value.code == code
    assert (caught.value.place, caught.value.path) == ("trust/1.json", "keys[0].public_key")


def test_padding_bits_cannot_hide_in_the_base64() -> None:
    blob = TOUCH.blob
    encoded = base64.b64encode(blob).decode()
    assert encoded.endswith("=")
    at = len(encoded.rstrip("=")) - 1
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    twin = encoded[:at] + alphabet[alphabet.index(encoded[at]) + 1] + encoded[at + 1 :]
    assert base64.b64decode(twin) == blob
    with pytest.raises(FaultError, match="SIG016"):
        parse_line(f"{TOUCH.algorithm} {twin}", "k")


def test_a_key_that_anybody_can_sign_for_is_refused() -> None:
    # The signature (identity point, zero) verifies for every message under the identity point as key.
    Ed25519PublicKey.from_public_bytes(IDENTITY_POINT).verify(IDENTITY_POINT + bytes(32), b"whatever")
    with pytest.raises(FaultError, match="small order"):
        decode_blob(PublicKey(algorithm=ED25519, raw=IDENTITY_POINT).blob, "k")


def small_order_points() -> list[bytes]:
    """Every encoding of y whose point P has 8P = identity, found by arithmetic on the curve, not from a list."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p

    def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        product = d * a[0] * b[0] * a[1] * b[1]
        x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + product, -1, p)
        y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, p)
        return x % p, y % p

    def times(scalar: int, point: tuple[int, int]) -> tuple[int, int]:
        total = (0, 1)
        while scalar:
            if scalar & 1:
                total = add(total, point)
            point, scalar = add(point, point), scalar >> 1
        return total

    def x_of(y: int) -> int | None:
        square = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
        root = pow(square, (p + 3) // 8, p)
        for candidate in (root, root * pow(2, (p - 1) // 4, p) % p):
            if candidate * candidate % p == square:
                return candidate
        return None

    order = 2**252 + 27742317777372353535851937790883648493
    found: set[tuple[int, int]] = set()
    y = 2
    while len(found) < 8:  # multiplying any point by the prime order leaves its part of small order
        x = x_of(y)
        if x is not None:
            found.add(times(order, (x, y)))
            found.add(times(order, (p - x, y)))
        y += 1
    return [(y | ((x & 1) << 255)).to_bytes(32, "little") for x, y in found]


def test_all_eight_points_of_small_order_are_refused() -> None:
    points = small_order_points()
    assert len(points) == 8
    for point in points:
        with pytest.raises(FaultError, match="small order"):
            decode_blob(PublicKey(algorithm=ED25519, raw=point).blob, "k")


@pytest.mark.parametrize("y", [2**255 - 19, 2**255 - 18, 2**255 - 1, 2**256 - 1])
def test_a_second_encoding_of_a_point_is_refused(y: int) -> None:
    with pytest.raises(FaultError, match="canonical"):
        decode_blob(PublicKey(algorithm=ED25519, raw=y.to_bytes(32, "little")).blob, "k")


@pytest.mark.parametrize("application", [b"ssh:\n", b"\xff", b"a" * 257])
def test_an_application_is_printable_ascii_and_short(application: bytes) -> None:
    blob = put_string(TOUCH.algorithm.encode()) + put_string(TOUCH.raw) + put_string(application)
    with pytest.raises(FaultError, match="SIG016"):
        decode_blob(blob, "k")
