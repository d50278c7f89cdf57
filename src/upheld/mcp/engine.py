"""The SDK in a thread of its own: imported there, then run there, fed with messages from the thread that reads them."""

from __future__ import annotations

import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.mcp.desk import Desk
    from upheld.mcp.lines import Message, Wire

DRAIN_SECONDS = 10.0
"""How long calls in flight may go on after the client closed our input."""


class Engine:
    """Imports and runs the SDK's server.

    Attributes:
        ready: set once messages can be given to it, or once it has failed.
    """

    def __init__(self, desk: Desk, wire: Wire, session: str = "") -> None:
        self._desk, self._wire, self._session = desk, wire, session
        self.ready = threading.Event()
        self._give: Callable[[Message | None], None] | None = None
        self._thread = threading.Thread(target=self._run, name="upheld-mcp-sdk", daemon=True)

    def start(self) -> None:
        """Begin to import, beside whoever calls."""
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether its thread has not ended."""
        return self._thread.is_alive()

    def give(self, message: Message) -> bool:
        """Hand one message over, once the SDK is there; False where its server has ended."""
        self.ready.wait()
        if self._give is None or not self._thread.is_alive():
            return False
        self._give(message)
        return True

    def finish(self) -> None:
        """Let the calls in flight be answered, then end."""
        if self._give is not None and self._thread.is_alive():
            self._give(None)
            self._thread.join(DRAIN_SECONDS + 2)

    def _run(self) -> None:
        try:
            from upheld.mcp.session import run

            run(self._desk, self._wire, self._session, self._is_running)
        except BaseException as error:  # noqa: BLE001 - the outermost boundary of a thread: a silent death would hang the client
            sys.stderr.write(f"upheld mcp: the server ended: {type(error).__name__}: {error!s:.300}\n")
        finally:
            self.ready.set()

    def _is_running(self, give: Callable[[Message | None], None]) -> None:
        self._give = give
        self.ready.set()
