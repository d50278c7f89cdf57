"""SHA-256 as lower-case hexadecimal digits, from the cheapest module that has it.

``hashlib`` costs several milliseconds at start-up (it loads OpenSSL's bindings); the interpreter's own module costs
none. Both compute FIPS 180-4.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha256
else:
    # By the version and not by trying: to look in vain costs as much as to find.
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:
        from hashlib import sha256

__all__ = ["hash_in_bulk", "sha256", "sha256_hex", "sha256_of_key"]

sha256_of_key = sha256
"""For texts of a few characters, whatever ``hash_in_bulk`` says: OpenSSL takes longer to start than these to hash."""


def hash_in_bulk() -> None:
    """Take OpenSSL's SHA-256 from now on: several times as fast, for a process that hashes far more than one answer."""
    global sha256  # noqa: PLW0603 - both compute the same function
    from hashlib import sha256


_COLD = 64
"""A process that hashes more often than this is no cold recall: from then on the faster module is worth its loading."""
_left = _COLD


def sha256_hex(data: bytes) -> str:
    """Return the digest of ``data``: 64 lower-case hexadecimal digits."""
    global _left  # noqa: PLW0603 - how often, in this process
    if _left:
        _left -= 1
        if not _left:
            hash_in_bulk()
    return sha256(data).hexdigest()
