"""What a person wrote in their editor, kept until it is used: a refusal, or a no, must not cost them their words."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import time

from upheld.compose.state import state_root
from upheld.render.escape import escape

_FOLDER = "unsaved"
_DAYS = 7
_kept: list[str] = []


def keep(data: bytes) -> None:
    """Keep a text in this user's state folder, readable by them alone. Where that fails, nothing is kept."""
    folder = os.path.join(state_root(os.environ), _FOLDER)
    place = os.path.join(folder, f"{secrets.token_hex(6)}.md")
    with contextlib.suppress(OSError):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _forget_old(folder)
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as opened:
            opened.write(data)
        _kept.append(place)


def say() -> None:
    """Say on standard error where the texts of this process are that were not used."""
    for place in _kept:
        sys.stderr.write(f"  = note: what you wrote is kept in {escape(place)}; give it with --file\n")


def used() -> None:
    """Forget the texts of this process: the command that they were written for is done."""
    while _kept:
        with contextlib.suppress(OSError):
            os.unlink(_kept.pop())


def _forget_old(folder: str) -> None:
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.endswith(".md") and os.stat(path).st_mtime < time.time() - _DAYS * 86_400:
            os.unlink(path)
