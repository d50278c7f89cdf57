"""The second that a hook has, everything included: whatever hangs, a person's prompt goes on.

``_signal`` is the C half of ``signal``, whose Python half would import ``enum``. Where the platform has no interval
timer, a thread ends the process instead.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    try:
        import _signal as signal
    except ImportError:
        import signal

SECONDS = 1.0
_AGAIN = 0.1
"""An exception raised inside a destructor is lost, so the timer rings until somebody hears it."""


class DeadlineMissed(BaseException):
    """The second is over."""


def _ring(_number: int, _frame: object) -> None:
    raise DeadlineMissed


class Deadline:
    """From entering to leaving, ``DeadlineMissed`` may be raised anywhere.

    Args:
        seconds: how long.
        last_words: what the thread writes before it ends the process, where there is no timer.
    """

    def __init__(self, seconds: float, last_words: Callable[[], None]) -> None:
        self._seconds, self._last_words, self._is_over = seconds, last_words, False

    def __enter__(self) -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _ring)
            signal.setitimer(signal.ITIMER_REAL, self._seconds, _AGAIN)
        else:
            from _thread import start_new_thread

            start_new_thread(self._watch, ())

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _watch(self) -> None:
        from time import sleep

        sleep(self._seconds)
        if not self._is_over:
            self._last_words()
            os._exit(0)
