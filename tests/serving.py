"""Run the MCP server as a process: raw JSON lines, the SDK's client, and HTTP on a port of its own."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

COMMAND = (sys.executable, "-m", "upheld", "mcp")
SECONDS = 60.0
"""How long a test waits before it says that nothing came; no test is judged by how long something takes."""
META = "io.modelcontextprotocol/"
MODERN = "2026-07-28"
HANDSHAKES = ("2025-06-18", "2025-11-25")


def envelope(**capabilities: object) -> dict[str, Any]:
    """What every request of the modern era carries."""
    info = {"name": "a-test", "version": "1"}
    return {
        "_meta": {
            f"{META}protocolVersion": MODERN, f"{META}clientInfo": info, f"{META}clientCapabilities": capabilities,
        }
    }  # fmt: skip


def handshake(version: str = HANDSHAKES[0], **capabilities: object) -> dict[str, Any]:
    """The parameters of ``initialize``."""
    info = {"name": "a-test", "version": "1"}
    return {"protocolVersion": version, "capabilities": capabilities, "clientInfo": info}


class Raw:
    """A client that speaks JSON lines and hides nothing."""

    def __init__(self, *arguments: str, environment: dict[str, str] | None = None, cwd: str | None = None) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=os.environ | (environment or {}), cwd=cwd,
        )  # fmt: skip
        self._next = 0

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(SECONDS)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})})

    def read(self) -> dict[str, Any]:
        """The next message; whatever is no JSON object on a line of its own fails the test."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        assert ready, "nothing came"
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), f"the server ended: {line!r}"
        return dict(json.loads(line))

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and return the answer to it, which must be the next message."""
        self._next += 1
        self.send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params or {}})
        answer = self.read()
        assert answer["id"] == self._next
        return answer

    def open(self, version: str = HANDSHAKES[0], **capabilities: object) -> dict[str, Any]:
        """Go through the handshake."""
        answer = self.ask("initialize", handshake(version, **capabilities))
        self.notify("notifications/initialized")
        return answer

    def end(self) -> tuple[list[dict[str, Any]], int]:
        """Close the server's input; return what still came, and the exit code."""
        out, _ = self.process.communicate(timeout=SECONDS)
        return [json.loads(line) for line in out.splitlines()], self.process.returncode


@contextlib.contextmanager
def http_server(*arguments: str, environment: dict[str, str] | None = None) -> Iterator[str]:
    """A server on loopback, at a port that is free; yields its address."""
    process = subprocess.Popen(
        [*COMMAND, *([] if "--http" in arguments else ["--http", "0"]), *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | (environment or {}),
    )  # fmt: skip
    try:
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        assert said.startswith("upheld mcp: http://"), said
        yield said.split()[2]
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=SECONDS)
        assert out == b"", "a server over HTTP has nothing to say on standard output"
