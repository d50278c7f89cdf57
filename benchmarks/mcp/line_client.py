"""A small MCP client over standard input and output, so that no SDK's own time is in the figures."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PROTOCOL = "2025-06-18"
"""The newest revision that every peer answers."""


class ServerGoneError(RuntimeError):
    """The server closed its output before it answered."""


class LineClient:
    """One server process, spoken to in JSON lines.

    Args:
        command: the server's command line.
        environment: what it sees of the environment, added to this process's own.
        folder: its working directory.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self._asked = 0
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment},
            cwd=folder,
        )

    def __enter__(self) -> LineClient:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send one request and return its answer, past whatever notifications come first."""
        assert self._process.stdout is not None
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params or {}})
        for line in self._process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._asked:
                return answer
        raise ServerGoneError(method)

    def open(self) -> list[dict[str, Any]]:
        """Shake hands and return the tools."""
        client = {"name": "benchmark", "version": "1"}
        self.ask("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._send({"method": "notifications/initialized"})
        tools: list[dict[str, Any]] = self.ask("tools/list")["result"]["tools"]
        return tools

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its result; a protocol error is given the form of a tool's error."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        error = {"isError": True, "content": [{"type": "text", "text": json.dumps(answer.get("error"))}]}
        result: dict[str, Any] = answer.get("result", error)
        return result

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


def text_of(result: Mapping[str, Any]) -> str:
    """The text of a tool's result."""
    return "\n".join(part.get("text", "") for part in result.get("content", ()))
