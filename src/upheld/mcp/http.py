"""Streamable HTTP: one door that looks at Host, Origin and token, and behind it one server a tenant. Imports the SDK.

Nothing is shared behind the door. Each tenant has a server, a session manager and a desk of its own, so a session id, a
key or a text of another tenant is not refused there but unknown.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from upheld.compose.library import open as open_memory
from upheld.errors import StorageError, UsageError
from upheld.mcp.desk import Desk
from upheld.mcp.server import Wiring, make_server
from upheld.mcp.tenants import Tenant, is_loopback, tenant_for, tenants_of

if TYPE_CHECKING:
    from upheld.mcp.options import Options

PATH = "/mcp"
MOST_SESSIONS = 1_000
"""Sessions of one tenant at a time; a request too many is told so and disturbs no other."""
LAST_SECONDS = 5
"""How long open streams may hold up the end of the process."""
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - recognised, not bound


def serve(options: Options) -> int:
    """Serve until the process is told to stop.

    Raises:
        UsageError: the address is not to be served like this.
        NoStoreError: there is no store.
        StorageError: the address cannot be had.
    """
    host, port = options.http or ("", 0)
    security = security_for(host, options.allow_host)
    tenants = tenants_of(options, os.environ, lambda: open_memory(options.store).path)
    app = application(tenants, security, client_name=options.client_name)
    run(app, host, port, said=f"serves {len(tenants)} store(s)")
    return 0


def run(app: ASGIApp, host: str, port: int, *, said: str) -> None:
    """Listen, say where, and serve until the process is told to stop.

    Raises:
        StorageError: the address cannot be had.
    """
    listener = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    # The port may have been 0, and whoever started this wants to know that it is open: said once, not on the protocol.
    sys.stderr.write(f"upheld mcp: http://{shown}:{listener.getsockname()[1]}{PATH} {said}\n")
    sys.stderr.flush()
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, log_config=None, timeout_graceful_shutdown=LAST_SECONDS
    )
    uvicorn.Server(config).run([listener])


def security_for(host: str, allowed: Sequence[str] = ()) -> TransportSecuritySettings:
    """Return which names a caller may use for this server. A page of another site that resolves to it uses none.

    Raises:
        UsageError: it would listen everywhere, and nothing says under which name.
    """
    names = list(allowed)
    if is_loopback(host):
        names += _LOOPBACK_NAMES
    elif host not in _EVERYWHERE:
        names.append(f"[{host}]" if ":" in host else host)
    elif not allowed:
        raise UsageError(f"--http {host}: by which name will callers ask for it?", help="--allow-host NAME")
    return TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[
            form
            for name in names
            for scheme in ("http", "https")
            for form in (f"{scheme}://{name}", f"{scheme}://{name}:*")
        ],
    )


def server_of(desk: Desk) -> Server[Any]:
    """Return the server of one tenant."""
    return make_server(Wiring(desk))


def application(
    tenants: Sequence[Tenant],
    security: TransportSecuritySettings,
    *,
    client_name: str = "",
    serve: Callable[[Desk], Server[Any]] = server_of,
) -> ASGIApp:
    """Return the ASGI application that serves these tenants at ``/mcp``.

    Args:
        tenants: who may call, and for which store.
        security: the names that a caller may use.
        client_name: the client that the server was registered for.
        serve: makes the server of one tenant; the conformance suite's fixtures stand in there.
    """
    desks = {one.name: Desk(store=one.store, label=one.name, client_name=client_name) for one in tenants}
    managers = {
        name: StreamableHTTPSessionManager(serve(desk), security_settings=security, max_sessions=MOST_SESSIONS)
        for name, desk in desks.items()
    }

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for manager in managers.values():
                await stack.enter_async_context(manager.run())
            yield

    rooms = {name: StreamableHTTPASGIApp(manager) for name, manager in managers.items()}
    return Starlette(routes=[Route(PATH, endpoint=_Door(tenants, rooms, security))], lifespan=running)


class _Door:
    """Asks, before anything of a request is read: was it sent to us, by no other site's page, and whose token is it?"""

    def __init__(
        self, tenants: Sequence[Tenant], rooms: dict[str, StreamableHTTPASGIApp], security: TransportSecuritySettings
    ) -> None:
        self._tenants, self._rooms = tenants, rooms
        self._security = TransportSecurityMiddleware(security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        response = await self._security.validate_request(request)
        if response is not None:
            return await response(scope, receive, send)
        given = request.headers.getlist("authorization")
        # Two of them: which one a proxy before us looked at is unknown.
        tenant = tenant_for(self._tenants, "".join(given)) if len(given) < 2 else None
        if tenant is None:
            refusal = JSONResponse({"error": "a valid bearer token is needed"}, 401, {"WWW-Authenticate": "Bearer"})
            return await refusal(scope, receive, send)
        return await self._rooms[tenant.name](scope, receive, send)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        raise StorageError(f"{host}:{port} cannot be had: {os.strerror(error.errno or 0)}") from None
    return listener
