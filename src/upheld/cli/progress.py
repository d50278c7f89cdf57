"""A progress bar for a person who waits: on a terminal, on standard error, and only after a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.0
"""Seconds that pass before a bar appears."""

Advance = Callable[[int, int], None]


@contextmanager
def progress(doing: str) -> Iterator[Advance | None]:
    """Yield what is to be called with how much is done and how much there is; None where nobody watches."""
    from upheld.compose.terminal import is_watched

    if not is_watched(sys.stderr):
        yield None
        return
    bar = _Bar(doing)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """Draws nothing, and loads nothing, before its time has come."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._begin = time.monotonic()
        self._drawn: Any = None
        self._task: Any = None

    def advance(self, done: int, total: int) -> None:
        if self._drawn is None:
            if time.monotonic() - self._begin < PATIENCE:
                return
            self._draw(total)
        self._drawn.update(self._task, completed=done, total=total)

    def _draw(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn(self._doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._drawn = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._drawn.add_task(self._doing, total=total)
        self._drawn.start()

    def close(self) -> None:
        if self._drawn is not None:
            self._drawn.stop()
