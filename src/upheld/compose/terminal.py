"""What a person at a terminal can be shown. Asked only when there is a terminal."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def is_colourful(stream: TextIO) -> bool:
    """Whether a person wants colours here: a terminal that can, and no ``NO_COLOR`` (https://no-color.org)."""
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    # The classic console of Windows shows the codes themselves; its successors and Git Bash say who they are.
    return sys.platform != "win32" or bool(os.environ.get("WT_SESSION") or os.environ.get("TERM"))


def is_watched(stream: TextIO) -> bool:
    """Whether a person watches this stream, on a terminal where a line can be redrawn."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"
