"""Say each thing once, where one client reads two hook files: a small mark in the user's state folder.

Two hooks of one event come within a moment of each other; a person who sends the same words again does so later, or
under another name for the turn. So a mark counts for two seconds, or for as long as its turn is the same. Whatever
cannot be marked is said: twice is better than never.
"""

from __future__ import annotations

import os
import time

from upheld.wire.digest import sha256_hex

SECONDS = 2.0
_SAME_TURN_SECONDS = 120.0
_KEPT_SECONDS = 3_600.0
_MOST_SWEPT = 2_000


class Marks:
    """The marks below one folder.

    Args:
        folder: where they lie.
        group: what may be forgotten together: a session; empty for none.
        now: the time in seconds; None for the time that it is.
    """

    def __init__(self, folder: str, group: str = "", now: float | None = None) -> None:
        self._folder = folder
        self._group = sha256_hex(group.encode("utf-8", "replace"))[:16] + "-" if group else ""
        self._now = time.time() if now is None else now

    def is_first(self, *parts: str, turn: str = "", seconds: float = SECONDS) -> bool:
        """Whether nobody has claimed this before us; it is claimed by the question.

        Args:
            parts: what is about to be said, and to whom.
            turn: the client's name for this very event; empty where it has none.
            seconds: for how long a claim without a turn counts.
        """
        file = self._file(parts)
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            if self._claim(file, turn):
                return True
            if self._counts(file, turn, seconds):
                return False
            # The old claim is taken away under a name of our own: of two who try, one succeeds.
            taken = f"{file}.{os.getpid()}"
            os.rename(file, taken)
            if self._counts(taken, turn, seconds):
                os.rename(taken, file)
                return False
            os.unlink(taken)
            return self._claim(file, turn)
        except FileNotFoundError:
            return self._claim_quietly(file, turn)
        except OSError:
            return True

    def is_claimed(self, *parts: str, seconds: float) -> bool:
        """Whether this was claimed so short a time ago; claims nothing."""
        try:
            return self._counts(self._file(parts), "", seconds)
        except OSError:
            return False

    def forget(self) -> None:
        """Take the marks of the group away: what was said stands in no context any more."""
        try:
            for name in os.listdir(self._folder):
                if self._group and name.startswith(self._group):
                    os.unlink(os.path.join(self._folder, name))
        except OSError:
            return

    def _file(self, parts: tuple[str, ...]) -> str:
        name = sha256_hex("\0".join(parts).encode("utf-8", "replace"))[:40]
        return os.path.join(self._folder, self._group + name)

    def _claim(self, file: str, turn: str) -> bool:
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except FileExistsError:
            return False
        try:
            os.write(descriptor, turn.encode("utf-8", "replace")[:200])
        finally:
            os.close(descriptor)
        return True

    def _claim_quietly(self, file: str, turn: str) -> bool:
        try:
            return self._claim(file, turn)
        except OSError:
            return True

    def _counts(self, file: str, turn: str, seconds: float) -> bool:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            age = self._now - os.fstat(descriptor).st_mtime
            other = os.read(descriptor, 200).decode("utf-8", "replace")
        finally:
            os.close(descriptor)
        if turn and other:
            return other == turn[:200] and abs(age) < _SAME_TURN_SECONDS
        return abs(age) < seconds

    def sweep(self) -> None:
        """Take away marks that count no more, a bounded number at a time."""
        try:
            with os.scandir(self._folder) as found:
                for _, mark in zip(range(_MOST_SWEPT), found, strict=False):
                    if self._now - mark.stat(follow_symlinks=False).st_mtime > _KEPT_SECONDS:
                        os.unlink(mark.path)
        except OSError:
            return
