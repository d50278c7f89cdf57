"""What a person types on a trust command, as values."""

from __future__ import annotations

import os

from upheld.compose.trusting import read_file
from upheld.errors import FaultError, UsageError
from upheld.model.day import is_day
from upheld.wire.sshkey import ALGORITHMS, PublicKey, parse_line


def public_key(named: str) -> PublicKey:
    """Read a public key: a ``.pub`` file, the private key file that it belongs to, or the line itself.

    Raises:
        UsageError: it is none of these.
    """
    if named.partition(" ")[0] in ALGORITHMS:
        text = named
    else:
        file = named if named.endswith(".pub") or not os.path.exists(f"{named}.pub") else f"{named}.pub"
        text = read_file(file).decode("utf-8", "replace")
    try:
        return parse_line(text.strip(), named)
    except FaultError as fault:
        raise UsageError(f"{named[:200]} is not a public key that may seal: {fault.detail}") from None


def day(text: str | None) -> str | None:
    """Check a day.

    Raises:
        UsageError: it is not a real day written YYYY-MM-DD.
    """
    if text is not None and not is_day(text):
        raise UsageError(f"{text!r:.40}: a real day is wanted, written YYYY-MM-DD")
    return text


def limit(text: str | None) -> int | None:
    """Read a number of days, or ``none``.

    Raises:
        UsageError: it is neither.
    """
    if text is None or text == "none":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise UsageError(f"{text!r:.40}: a number of days is wanted, or `none`")
    return int(text)
