"""How long a client of ``upheld mcp`` waits: from its start to the answered opening, list and first call.

Every row is a fresh process, run in turn with all the others, the two eras alternating. Beside the server as it is
stands the same server without its thin front, so that what the front saves can be seen (docs/adr/0008-mcp-server.md).
Wall time, since waiting is what is measured; what it is beside ``python -c pass`` is the steadier figure.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import upheld
from upheld.services.seal_store import SEALING_VERBS

META = "io.modelcontextprotocol/"
CLIENT = {"name": "a-benchmark", "version": "1"}
OPENINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "handshake": ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}),
    "modern": ("server/discover", {}),
}
BARE = (
    "import sys\nfrom upheld.mcp import front\nfront.Front.answer = lambda *_: None\n"
    "from upheld.mcp.main import main\nsys.exit(main(sys.argv[1:]))"
)


def timed(command: list[str], era: str) -> list[float]:
    """Seconds from the start of one process to each answer."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    method, params = OPENINGS[era]
    envelope: dict[str, Any] = {}
    if era == "modern":
        versions = {
            f"{META}protocolVersion": "2026-07-28",
            f"{META}clientInfo": CLIENT,
            f"{META}clientCapabilities": {},
        }
        envelope = {"_meta": versions}
    recall = {"name": "recall", "arguments": {"key": "deploys"}}
    waits = []
    for number, (asked, given) in enumerate([(method, params), ("tools/list", {}), ("tools/call", recall)]):
        message = {"jsonrpc": "2.0", "id": number, "method": asked, "params": {**given, **envelope}}
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        waits.append(time.perf_counter() - begin)
        if answer.get("id") != number or "result" not in answer:
            raise SystemExit(f"{asked} failed: {answer}")
    process.stdin.close()
    process.wait()
    return waits


def main() -> None:
    """Measure all rows in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="processes a row (default: 15)")
    rounds = parser.parse_args().rounds
    compileall.compile_dir(Path(upheld.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as place:
        os.environ |= {"XDG_STATE_HOME": f"{place}/state", "XDG_CONFIG_HOME": f"{place}/config", "UPHELD_OWNER": "ada"}
        memory = upheld.Memory(path=f"{place}/store", why="a benchmark")
        memory.init(passphrase=False, automation=SEALING_VERBS, accept=("SIG030",))
        memory.remember("deploys", "Deploy on Tuesdays.", when="Before deploying", because="The rota says so.")
        given = ["--store", memory.path]
        servers = {
            "upheld mcp": [str(Path(sys.executable).with_name("upheld")), "mcp", *given],
            "without the front": [sys.executable, "-c", BARE, *given],
        }
        pauses: list[float] = []
        waits: dict[str, list[list[float]]] = {name: [] for name in servers}
        for number in range(rounds):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            pauses.append(time.perf_counter() - begin)
            for name, command in servers.items():
                waits[name].append(timed(command, ("handshake", "modern")[number % 2]))
    bare = statistics.median(pauses)
    print(f"python -c pass: {bare * 1000:.1f} ms, median of {rounds}\n")
    print("| | opening answered | `tools/list` answered | first `tools/call` answered |")
    print("|---|---|---|---|")
    for name, rows in waits.items():
        medians = [statistics.median(column) for column in zip(*rows, strict=True)]
        print(f"| {name} | " + " | ".join(f"{one * 1000:.0f} ms ({one / bare:.1f}x)" for one in medians) + " |")


if __name__ == "__main__":
    main()
