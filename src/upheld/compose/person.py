"""Who is at work here, as far as this machine knows. The log and a key's entry carry it; nothing is decided by it."""

from __future__ import annotations

import os
from getpass import getuser


def person() -> str:
    """Return ``UPHELD_BY``, else the name that this user logs in with, else ``somebody``; one printable line."""
    try:
        named = os.environ.get("UPHELD_BY", "").strip() or getuser()
    except (KeyError, OSError, ImportError):  # ImportError: no such database on this platform
        named = ""
    shown = "".join(character for character in named if character.isprintable())[:64]
    return shown or "somebody"
