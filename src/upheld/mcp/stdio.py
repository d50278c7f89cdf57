"""Serve one client over standard input and output: the front first, the SDK as soon as it is there."""

from __future__ import annotations

import os
import sys

from upheld.mcp.engine import Engine
from upheld.mcp.front import REPLAYED, SKIPPED, Front
from upheld.mcp.lines import Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.mcp.desk import Desk
    from upheld.mcp.lines import Message

INTERNAL_ERROR = -32603
_SHORT = 0.0002
"""Seconds that the import may hold the interpreter while a message waits; 5 ms at each read of a file would add up."""


def serve(desk: Desk) -> int:
    """Serve until the input ends, and return the exit code."""
    wire = Wire.taken()
    session = f"stdio-{os.urandom(6).hex()}"
    connection = _Connection(wire, Front(desk, session), Engine(desk, wire, session))
    for message in wire.messages():
        connection.take(message)
        if wire.is_broken:
            return 0
    connection.engine.finish()
    return 0


class _Connection:
    """The messages of one client, in order: to the front, and from some message on to the SDK."""

    def __init__(self, wire: Wire, front: Front, engine: Engine) -> None:
        self._wire, self._front, self.engine = wire, front, engine
        self._is_over = False
        self._interval = sys.getswitchinterval()

    def take(self, message: Message) -> None:
        """Have one message answered."""
        if not self._is_over and not self.engine.ready.is_set():
            answer = self._front.answer(message)
            if answer is not None:
                if answer is not SKIPPED:
                    self._wire.send(answer)
                self._start()
                return
        self._start()
        self._hand_over()
        if not self.engine.give(message) and "id" in message:
            self._wire.fail(message["id"], INTERNAL_ERROR, "the server has ended; see its standard error")

    def _start(self) -> None:
        # Not before the first answer: both would share one interpreter, and the client waits for this one.
        if not self.engine.has_started:
            sys.setswitchinterval(_SHORT)
            self.engine.start()

    def _hand_over(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        self.engine.ready.wait()
        sys.setswitchinterval(self._interval)
        for message in self._front.replay:
            self.engine.give({**message, "id": REPLAYED} if "id" in message else message)
