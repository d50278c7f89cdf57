"""A short log of what the hooks did, for `doctor` and for tests: times, outcomes, keys and digests, never a text.

``hooks/log.jsonl`` in the user's state folder, one object a line, and one older file beside it. Nothing depends on it.
"""

from __future__ import annotations

import os

from upheld.compose.clock import instant
from upheld.render.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.asked import Asked, Said

FOLDER = "hooks"
NAME = "log.jsonl"
MAX_BYTES = 256 * 1024
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def note(root: str, asked: Asked, said: Said, store: str, *, repeated: bool) -> None:
    """Add a line; a log that cannot be written is no reason to say anything."""
    line = dumps(
        {
            "at": instant(),
            "client": asked.client,
            "event": asked.event,
            "session": asked.session[:100],
            "outcome": "repeated" if repeated else said.outcome,
            "code": said.code,
            "keys": [key[:100] for key in said.keys[:10]],
            "sha256": [digest for _, digest in said.given],
            "characters": len(said.context),
            "store": store[:300],
        }
    )
    data = "".join(part.strip() for part in line.split("\n")).encode("ascii") + b"\n"
    folder = os.path.join(root, FOLDER)
    file = os.path.join(folder, NAME)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        descriptor = os.open(file, _FLAGS, 0o600)
        try:
            os.write(descriptor, data)
            is_full = os.fstat(descriptor).st_size > MAX_BYTES
        finally:
            os.close(descriptor)
        if is_full:
            os.replace(file, f"{file}.1")
    except OSError:
        return
