"""Where calls are carried out: finds the store afresh for each, holds arguments to the schema, and answers everything.

No call trusts an earlier one: the store is opened, read and verified every time. What differs between tenants and
clients stands in the desk, so a tool sees one store and one caller.

A desk is made before the opening is answered, and carries nothing out before the first call: what reading takes is
imported then (docs/adr/0008-mcp-server.md; a test names what the opening may import).
"""

from __future__ import annotations

import os
import sys

from upheld.errors import UpheldError
from upheld.mcp.catalog import input_schema
from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from upheld.compose.library import Memory
    from upheld.mcp.said import Said

    Tool = Callable[["Desk", "Caller", dict[str, Any]], Said]

_TOOLS = {name: f"upheld.mcp.{name}_tool" for name in ("recall", "route", "index", "propose", "status")}


class Caller(Value):
    """Who calls, by their own account: recorded with a proposal, and nothing is decided by it.

    Attributes:
        client: name and version that the client gives itself. session: its session, where the transport has one.
        protocol: the revision that it speaks.
    """

    client: str = ""
    session: str = ""
    protocol: str = ""


class Desk(Value):
    """One store, as a server keeps it.

    Attributes:
        store: the folder that was named; None to look for it in the working directory at each call.
        client_name: the client that this server was registered for (``--client-name``).
        label: what the store is called towards a caller who must not see a path; empty where paths may be seen.
    """

    store: str | None = None
    client_name: str = ""
    label: str = ""

    def open(self) -> Memory:
        """Open the store. Nothing of it is read yet.

        Raises:
            NoStoreError: there is none.
        """
        from upheld.compose.library import open as open_memory

        return open_memory(self.store)

    def call(self, name: str, arguments: Mapping[str, object], caller: Caller) -> Said:
        """Carry out one call of a tool that exists. Answers whatever happens."""
        if input_schema(name) is None:
            from upheld.mcp.said import failed

            return failed("usage", f"there is no tool `{name[:60]}`", "see tools/list")
        return self.carry_out(name, _tool(name), arguments, caller)

    def carry_out(self, name: str, tool: Tool, arguments: Mapping[str, object], caller: Caller) -> Said:
        """Carry out a tool once its arguments fit the schema of ``name``."""
        from upheld.mcp.arguments import faults
        from upheld.mcp.said import failed

        wrong = faults(input_schema(name) or {"properties": {}}, arguments)
        if wrong:
            return failed("usage", "; ".join(wrong[:8]), f"see the input schema of `{name}`")
        return self.attempt(lambda: tool(self, caller, dict(arguments)))

    def attempt(self, act: Callable[[], Said]) -> Said:
        """Carry out one act and turn whatever it raises into an answer that names no place of the machine."""
        from upheld.compose.clock import today
        from upheld.mcp.said import failed, of_error

        try:
            said = act()
        except UpheldError as error:
            said = of_error(error, today=today())
        except Exception as error:  # noqa: BLE001 - the outermost boundary of a call: a fault of ours is said, not its text
            sys.stderr.write(f"upheld mcp: a call failed: {error!r:.300}\n")
            said = failed("internal", f"Upheld itself failed: {type(error).__name__}", "tell the user")
        return self.hidden(said)

    def hidden(self, said: Said) -> Said:
        """Return a refusal without the paths of this machine, where the caller must not see them.

        What is served is left as it is: a text that happens to name a folder was verified with that name in it.
        """
        if not self.label or not said.is_error:
            return said
        pairs = _places(self.store, self.label)
        return said.replace(fields=_without(said.fields, pairs), text=_without(said.text, pairs))


def _tool(name: str) -> Tool:
    module = _TOOLS[name]
    __import__(module)
    tool: Tool = sys.modules[module].run
    return tool


def _places(store: str | None, label: str) -> list[tuple[str, str]]:
    """What stands for what, the longest first, so that no rest of a path is left."""
    from upheld.compose.state import state_root

    places = {os.getcwd(): "(server)", state_root(os.environ): "(state)", os.path.expanduser("~"): "(home)"}
    if store is not None:
        for path in (os.path.abspath(store), os.path.realpath(store)):
            places[os.path.dirname(path)] = "(repository)"
            places[path] = label
    return sorted(((path, said) for path, said in places.items() if len(path) > 1), key=lambda pair: -len(pair[0]))


def _without(value: Any, pairs: list[tuple[str, str]]) -> Any:
    if isinstance(value, str):
        for path, said in pairs:
            value = value.replace(path, said)
        return value
    if isinstance(value, dict):
        return {name: _without(inner, pairs) for name, inner in value.items()}
    return [_without(inner, pairs) for inner in value] if isinstance(value, list) else value
