"""Install the peers, each into a folder of its own, from the package registries."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from peers import Peer

_NEWER = ("python3.12", "python3.13", "python3.14")


def installed(peers: Sequence[Peer], into: Path) -> tuple[list[Peer], list[str]]:
    """Return the peers that are there now, and a line for each that is not, with the reason."""
    ready: list[Peer] = []
    missing: list[str] = []
    for peer in peers:
        reason = _install(peer, into / peer.name)
        if reason:
            missing.append(f"Not measured: {peer.name}, {reason}.")
            print(missing[-1], file=sys.stderr)
        else:
            ready.append(peer)
    return ready, missing


def version_of(peer: Peer, into: Path) -> str:
    """Return the version that is installed."""
    kind, requirement = peer.package
    name = requirement.partition("[")[0]
    if kind == "npm":
        found = json.loads((into / peer.name / "node_modules" / name / "package.json").read_text(encoding="utf-8"))
        return str(found["version"])
    python = sys.executable if kind == "here" else str(into / peer.name / "bin" / "python")
    code = f"from importlib.metadata import version; print(version({name!r}))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def _install(peer: Peer, folder: Path) -> str:
    """Install a peer unless it is there, and return why that failed, or nothing."""
    kind, requirement = peer.package
    if kind == "here" or Path(peer.command(folder)[0]).exists():
        return ""
    python = _python(peer.needs)
    if python is None:
        return f"which needs Python {'.'.join(map(str, peer.needs))} (this is {platform.python_version()})"
    print(f"installing {peer.name}", file=sys.stderr)
    pip = [python, "-m", "venv", str(folder)], [str(folder / "bin" / "pip"), "install", "-q", requirement]
    npm = (["npm", "install", "--silent", "--prefix", str(folder), requirement],)
    try:
        for command in pip if kind == "pip" else npm:
            subprocess.run(command, check=True, capture_output=True, timeout=600)
    except (OSError, subprocess.SubprocessError) as error:
        return f"which could not be installed ({type(error).__name__})"
    return "" if Path(peer.command(folder)[0]).exists() else "whose server is not in its package"


def _python(needs: tuple[int, int]) -> str | None:
    """Return this Python, or one that is new enough and runs."""
    if sys.version_info >= needs:
        return sys.executable
    for name in _NEWER:
        found = shutil.which(name) if tuple(map(int, name[6:].split("."))) >= needs else None
        if found is None:
            continue
        runs = subprocess.run([found, "-c", "pass"], check=False, capture_output=True)
        if runs.returncode == 0:
            return found
    return None
