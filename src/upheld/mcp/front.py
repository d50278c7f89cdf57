"""The thin front: answers the opening of a connection, and what only reads, while the SDK is still being imported.

Importing the SDK takes longer than everything else that a start does, and clients drop servers that are slow to say
what they offer. So the first messages are answered here, from the same tables and the same tools that the SDK's server
uses. It answers only what it understands whole; anything else, and everything once the SDK is there, is the SDK's
(docs/adr/0008-mcp-server.md). A test compares its answers with the SDK's, method by method.
"""

from __future__ import annotations

from upheld import __version__
from upheld.mcp import catalog
from upheld.mcp.desk import Caller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.mcp.desk import Desk
    from upheld.mcp.lines import Message

HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
LISTS_LAST_MS = 3_600_000
"""The lists depend on the version of Upheld alone, so a client may keep them. What is read from a store, never."""
_VERSION, _INFO, _CAPABILITIES, _SERVER = (
    f"io.modelcontextprotocol/{name}" for name in ("protocolVersion", "clientInfo", "clientCapabilities", "serverInfo")
)
READ_HERE = ("recall", "route", "index")
"""What is called here; the other tools ask somebody or take long."""
_INFORMATION = {"name": catalog.NAME, "version": __version__, "title": catalog.TITLE}
_ENVELOPE = frozenset({"_meta"})
_CALL = frozenset({"_meta", "name", "arguments"})
REPLAYED = "upheld-opening"
"""The id of the opening when it is shown to the SDK; the second answer to it is dropped."""
SKIPPED: Message = {}
"""What ``answer`` returns for a notification that needs no answer."""


def capabilities(*, changes: bool) -> dict[str, Any]:
    """Return what the server can do: nothing of it changes while it runs."""
    return {
        "completions": {},
        "prompts": {"listChanged": changes},
        "resources": {"listChanged": changes, "subscribe": changes},
        "tools": {"listChanged": changes},
    }


class Front:
    """The opening of one connection.

    Attributes:
        replay: the messages that make the SDK's server stand where this one stands; empty in the modern era.
    """

    def __init__(self, desk: Desk, session: str = "") -> None:
        self._desk = desk
        self._session = session
        self._is_modern = False
        self._version = ""
        self._client = ""
        self.replay: list[Message] = []

    def answer(self, message: Message) -> Message | None:
        """Return the answer, ``SKIPPED`` where none is due, or None where the SDK must see the message."""
        method, params = message.get("method"), message.get("params", {})
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str) or not isinstance(params, dict):
            return None
        if "id" not in message:
            return self._noticed(method, message)
        if type(message["id"]) not in (int, str):
            return None
        result = self._result(method, params, message)
        return None if result is None else {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _noticed(self, method: str, message: Message) -> Message | None:
        if method == "notifications/initialized" and self._version:
            self.replay.append(message)
            return SKIPPED
        # What could be cancelled has been answered already.
        return SKIPPED if method == "notifications/cancelled" else None

    def _result(self, method: str, params: dict[str, Any], message: Message) -> dict[str, Any] | None:
        meta = params.get("_meta", {})
        if not isinstance(meta, dict):
            return None
        if _VERSION in meta:
            return self._modern(method, params, meta) if not self._version else None
        if self._is_modern:
            return None
        if method == "initialize":
            return self._initialized(params, message)
        return self._of(method, params) if self._version else None

    def _initialized(self, params: dict[str, Any], message: Message) -> dict[str, Any] | None:
        wanted, info = params.get("protocolVersion"), params.get("clientInfo")
        if self._version or not isinstance(wanted, str) or not isinstance(params.get("capabilities"), dict):
            return None
        if not _is_information(info):
            return None
        self._version = wanted if wanted in HANDSHAKES else HANDSHAKES[-1]
        self._client = _name_of(info)
        self.replay.append(message)
        return {
            "protocolVersion": self._version,
            "capabilities": capabilities(changes=False),
            "serverInfo": _INFORMATION,
            "instructions": catalog.INSTRUCTIONS,
        }

    def _modern(self, method: str, params: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any] | None:
        info = meta.get(_INFO)
        if meta[_VERSION] != MODERN or not isinstance(meta.get(_CAPABILITIES), dict):
            return None
        if info is not None and not _is_information(info):
            return None
        self._client = _name_of(info) if info is not None else ""
        if method == "server/discover" and params.keys() <= _ENVELOPE:
            result: dict[str, Any] | None = {
                "supportedVersions": [MODERN],
                "capabilities": capabilities(changes=False),
                "instructions": catalog.INSTRUCTIONS,
            }
        else:
            result = None if method == "ping" else self._of(method, params)
        if result is None:
            return None
        self._is_modern = True
        kept = {} if method == "tools/call" else {"ttlMs": LISTS_LAST_MS, "cacheScope": "public"}
        return {"_meta": {_SERVER: _INFORMATION}, "resultType": "complete", **kept, **result}

    def _of(self, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        if method == "tools/call":
            return self._called(params)
        if not params.keys() <= _ENVELOPE:
            return None
        if method == "ping":
            return {}
        return _LISTS.get(method)

    def _called(self, params: dict[str, Any]) -> dict[str, Any] | None:
        name, arguments = params.get("name"), params.get("arguments", {})
        if name not in READ_HERE or not params.keys() <= _CALL or not isinstance(arguments, dict):
            return None
        caller = Caller(client=self._client, session=self._session, protocol=self._version or MODERN)
        return self._desk.call(str(name), arguments, caller).result()


_LISTS: dict[str, dict[str, Any]] = {
    "tools/list": {"tools": catalog.TOOLS},
    "resources/list": {"resources": catalog.RESOURCES},
    "resources/templates/list": {"resourceTemplates": catalog.TEMPLATES},
    "prompts/list": {"prompts": []},
}


def _is_information(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str) and isinstance(value.get("version"), str)


def _name_of(info: Any) -> str:
    return f"{info['name']} {info['version']}".strip()[:200]
