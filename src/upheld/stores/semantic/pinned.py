"""Read a file whose bytes must be the expected ones: what is checked is what is used, in one read."""

from __future__ import annotations

import os
from hashlib import sha256

from upheld.errors import StorageError

LARGEST = 1 << 30
"""Bytes of a model file that are read at most."""


def read(path: str, *, sha256_hex: str | None = None) -> tuple[bytes, str]:
    """Return the bytes of a file and their SHA-256.

    Args:
        path: the file.
        sha256_hex: the digest that it must have; None to learn it.

    Raises:
        StorageError: the file is not there, too large, or has other bytes.
    """
    name = os.path.basename(path)
    try:
        with open(path, "rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise StorageError(f"{name} cannot be read: {os.strerror(error.errno or 0)}") from None
    if len(data) > LARGEST:
        raise StorageError(f"{name} is larger than {LARGEST:,} bytes")
    now = sha256(data).hexdigest()
    if sha256_hex is not None and now != sha256_hex:
        raise StorageError(
            f"{name} has other bytes than it must have: SHA-256 {now[:12]}, not {sha256_hex[:12]}",
            help="install the package again; nothing was run from the file",
        )
    return data, now
