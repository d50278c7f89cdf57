"""One key at a time from the person's terminal, with what they type ahead kept."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from upheld.errors import UsageError

_END = ("\x03", "\x04", "")


class Keys:
    """Reads single keys. ``click.getchar`` throws away what was typed before it was called, so it is the fallback only.

    Use as a context; while it lasts, the terminal shows no typed key and waits for no line end.
    """

    def __init__(self) -> None:
        self._descriptor: int | None = None
        self._before: list[object] | None = None

    def __enter__(self) -> Keys:
        if sys.platform != "win32":
            import termios

            self._descriptor = _terminal()
            self._before = termios.tcgetattr(self._descriptor)
            self._one_by_one()
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()
        if self._descriptor is not None and self._descriptor != sys.__stdin__.fileno():  # type: ignore[union-attr]
            os.close(self._descriptor)

    def next(self) -> str:
        """Return the next key.

        Raises:
            Abort: the person ended it with Ctrl-C or Ctrl-D, or the terminal is gone.
        """
        key = click.getchar() if self._descriptor is None else os.read(self._descriptor, 1).decode("latin-1")
        if key in _END:
            raise click.Abort
        return key

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Give the terminal back for a while, to an editor or a question."""
        self._restore()
        try:
            yield
        finally:
            self._one_by_one()

    def _one_by_one(self) -> None:
        if self._descriptor is not None:
            import termios

            mode = termios.tcgetattr(self._descriptor)
            mode[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, mode)

    def _restore(self) -> None:
        if self._descriptor is not None and self._before is not None:
            import termios

            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]


def _terminal() -> int:
    if sys.__stdin__ is not None and sys.__stdin__.isatty():
        return sys.__stdin__.fileno()
    try:
        return os.open("/dev/tty", os.O_RDWR)
    except OSError:
        raise UsageError("there is no terminal to read keys from") from None
