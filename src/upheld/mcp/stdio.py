"""Serve one client over standard input and output: the front first, the SDK as soon as it is there."""

from __future__ import annotations

import os
import sys

from upheld.mcp.front import REPLAYED, SKIPPED, Front
from upheld.mcp.lines import Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.mcp.desk import Desk
    from upheld.mcp.engine import Engine
    from upheld.mcp.lines import Message

INTERNAL_ERROR = -32603
_SHORT = 0.0002
"""Seconds that the import may hold the interpreter while a message waits; 5 ms at each read of a file would add up."""


def serve(desk: Desk) -> int:
    """Serve until the input ends, and return the exit code."""
    if os.isatty(0):
        sys.stderr.write("upheld mcp: waiting for a client on standard input; `upheld mcp --help` says how to use it\n")
    wire = Wire.taken()
    connection = _Connection(desk, wire)
    code = 0
    try:
        for message in wire.messages():
            connection.take(message)
            if wire.is_broken:
                break
        connection.finish()
    except KeyboardInterrupt:
        code = 130
    if connection.is_busy:
        # The SDK is still being imported, or a call goes on. Ending the interpreter under it can abort the process.
        sys.stderr.flush()
        os._exit(code)
    return code


class _Connection:
    """The messages of one client, in order: to the front, and from some message on to the SDK."""

    def __init__(self, desk: Desk, wire: Wire) -> None:
        self._desk, self._wire = desk, wire
        self._session = f"stdio-{os.urandom(6).hex()}"
        self._front: Front | None = Front(desk, self._session)
        self._engine: Engine | None = None
        self._interval = sys.getswitchinterval()

    def take(self, message: Message) -> None:
        """Have one message answered."""
        if self._front is not None and (self._engine is None or not self._engine.ready.is_set()):
            answer = self._front.answer(message)
            if answer is not None:
                if answer is not SKIPPED:
                    self._wire.send(answer)
                self._started()
                return
        if not self._handed_over().give(message) and "id" in message:
            self._wire.fail(message["id"], INTERNAL_ERROR, "the server has ended; see its standard error")

    @property
    def is_busy(self) -> bool:
        """Whether the SDK's thread has not ended."""
        return self._engine is not None and self._engine.is_alive

    def finish(self) -> None:
        """Let what is in flight be answered."""
        if self._engine is not None:
            self._engine.finish()

    def _started(self) -> Engine:
        """Begin to import the SDK: not before the first answer, since both would share one interpreter."""
        if self._engine is None:
            from upheld.mcp.engine import Engine

            self._engine = Engine(self._desk, self._wire, self._session)
            sys.setswitchinterval(_SHORT)
            self._engine.start()
        return self._engine

    def _handed_over(self) -> Engine:
        """Wait for the SDK, and show it the opening once: from then on it answers everything."""
        engine = self._started()
        if self._front is not None:
            engine.ready.wait()
            sys.setswitchinterval(self._interval)
            for message in self._front.replay:
                engine.give({**message, "id": REPLAYED} if "id" in message else message)
            self._front = None
        return engine
