"""Trust in Codex's hooks, given as a person gives it: the client lists what it found, and its digest is written down.

Only a test may do this, in a home of its own: in a person's home the decision is the person's.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from upheld.model.value import Value

_CALLS = 40


class Listed(Value):
    """One hook, as the client lists it.

    Attributes:
        key: the client's name for it.
        digest: what it holds now.
        trust: ``trusted``, ``untrusted`` or ``modified``.
    """

    key: str
    digest: str
    trust: str


def listed(program: Path, project: Path, env: Mapping[str, str]) -> tuple[Listed, ...]:
    """Ask the client which hooks it found for a project.

    Raises:
        RuntimeError: it answered with an error, or with nothing.
    """
    with subprocess.Popen(
        [str(program), "app-server"],
        cwd=project,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as server:
        try:
            answer = _asked(server, str(project))
        finally:
            server.kill()
    return tuple(_hooks(answer))


def trust_all(program: Path, project: Path, env: Mapping[str, str]) -> int:
    """Trust every hook that the client lists and does not trust yet; return how many these are.

    It is written into the settings of the home that ``env`` names.
    """
    found = [hook for hook in listed(program, project, env) if hook.trust == "untrusted"]
    lines = [f"\n[hooks.state.{json.dumps(hook.key)}]\ntrusted_hash = {json.dumps(hook.digest)}\n" for hook in found]
    with (Path(env["HOME"]) / ".codex/config.toml").open("a") as settings:
        settings.write("".join(lines))
    return len(found)


def _asked(server: subprocess.Popen[bytes], project: str) -> Mapping[str, Any]:
    assert server.stdin is not None
    assert server.stdout is not None
    opening = {"clientInfo": {"name": "acceptance", "version": "1"}}
    _send(server.stdin, {"id": 1, "method": "initialize", "params": opening})
    _receive(server.stdout, 1)
    _send(server.stdin, {"method": "initialized"})
    _send(server.stdin, {"id": 2, "method": "hooks/list", "params": {"cwds": [project]}})
    return _receive(server.stdout, 2)


def _send(to: IO[bytes], message: Mapping[str, Any]) -> None:
    to.write(json.dumps(message).encode() + b"\n")
    to.flush()


def _receive(source: IO[bytes], number: int) -> Mapping[str, Any]:
    for _ in range(_CALLS):
        line = source.readline()
        if not line:
            break
        message = json.loads(line)
        if message.get("id") == number and "result" in message:
            result: Mapping[str, Any] = message["result"]
            return result
        if message.get("id") == number:
            raise RuntimeError(f"codex app-server: {message.get('error')}")
    raise RuntimeError("codex app-server answered nothing")


def _hooks(answer: Mapping[str, Any]) -> Iterator[Listed]:
    for folder in answer.get("data", ()):
        for hook in folder.get("hooks", ()):
            yield Listed(key=hook["key"], digest=hook["currentHash"], trust=hook.get("trustStatus", ""))
