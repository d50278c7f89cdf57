"""One connection over standard input and output, served by the SDK. Imports the SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from upheld.mcp.desk import Desk
from upheld.mcp.engine import DRAIN_SECONDS
from upheld.mcp.front import REPLAYED
from upheld.mcp.lines import INVALID_REQUEST, Wire
from upheld.mcp.server import Wiring, make_server

_ENDLESS = frozenset({"subscriptions/listen"})
_PARTNER_GONE_SECONDS = 0.5


def run(desk: Desk, wire: Wire, session: str, is_running: Callable[[Callable[[Any], None]], None]) -> None:
    """Serve until the messages end.

    Args:
        desk: what is served.
        wire: where answers go.
        session: what this connection is called in a proposal.
        is_running: is given the function that takes each message, and None for their end; any thread may call that.
    """
    asyncio.run(_Session(wire).serve(desk, session, is_running))


class _Session:
    """The messages on their way in and out, and which requests are still to be answered."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._open: set[object] = set()
        self._asked: set[object] = set()
        self._settled = asyncio.Event()

    async def serve(self, desk: Desk, session: str, is_running: Callable[[Callable[[Any], None]], None]) -> None:
        loop = asyncio.get_running_loop()
        inbox: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        server = make_server(Wiring(desk, session))
        to_server, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        sent, from_server = anyio.create_memory_object_stream[SessionMessage](0)

        def give(message: dict[str, Any] | None) -> None:
            loop.call_soon_threadsafe(inbox.put_nowait, message)

        async with anyio.create_task_group() as group:
            group.start_soon(self._inward, inbox, to_server)
            group.start_soon(self._outward, from_server)
            is_running(give)
            await server.run(received, sent, server.create_initialization_options())
            group.cancel_scope.cancel()

    async def _inward(
        self, inbox: asyncio.Queue[dict[str, Any] | None], to_server: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        async with to_server:
            while (message := await inbox.get()) is not None:
                try:
                    checked = types.jsonrpc_message_adapter.validate_python(message, by_name=False)
                except ValidationError:
                    self._wire.fail(message.get("id"), INVALID_REQUEST, "the message is no request of JSON-RPC 2.0")
                    continue
                self._note(message, checked)
                await to_server.send(SessionMessage(checked))
            await self._drained()

    def _note(self, message: dict[str, Any], checked: types.JSONRPCMessage) -> None:
        if isinstance(checked, types.JSONRPCRequest):
            if checked.method not in _ENDLESS:
                self._open.add(checked.id)
        elif isinstance(checked, types.JSONRPCNotification):
            if checked.method == "notifications/cancelled":
                self._open.discard((checked.params or {}).get("requestId"))
        else:
            self._asked.discard(checked.id)

    async def _drained(self) -> None:
        """Wait until what is in flight is answered. Nobody is left to answer a question of ours, so that waits less."""
        with anyio.move_on_after(_PARTNER_GONE_SECONDS if self._asked else DRAIN_SECONDS):
            while self._open and not self._wire.is_broken:
                self._settled.clear()
                await self._settled.wait()

    async def _outward(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with from_server:
            async for item in from_server:
                message = item.message
                if isinstance(message, types.JSONRPCRequest):
                    self._asked.add(message.id)
                elif not isinstance(message, types.JSONRPCNotification):
                    self._open.discard(message.id)
                    self._settled.set()
                    if message.id == REPLAYED:
                        continue
                self._wire.write(message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
