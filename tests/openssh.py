"""Runs the real OpenSSH tools for tests, and says so loudly where they are missing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is missing: OpenSSH has NOT been asked whether it agrees"
)
needs_ssh_agent = pytest.mark.skipif(
    shutil.which("ssh-agent") is None or shutil.which("ssh-add") is None,
    reason="ssh-agent or ssh-add is missing: signing through a real agent has NOT been tested",
)


def make_key(path: Path, *options: str, kind: str = "ed25519", passphrase: str = "", comment: str = "ada") -> Path:
    """Make a key pair with ssh-keygen."""
    command = ["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", comment, "-f", str(path), *options]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


def sign(key: Path, namespace: str, message: bytes, *options: str) -> bytes:
    """Sign with ssh-keygen -Y sign, through standard input and output."""
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", namespace, *options]
    return subprocess.run(command, input=message, capture_output=True, check=True).stdout


def accepts(folder: Path, public_line: str, namespace: str, message: bytes, signature: bytes) -> bool:
    """Whether ``ssh-keygen -Y verify`` accepts a signature by this key."""
    (folder / "allowed").write_text(f"somebody {public_line}\n")
    (folder / "signature").write_bytes(signature)
    command = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "somebody", "-n", namespace, "-s", "signature"]
    return subprocess.run(command, cwd=folder, input=message, capture_output=True, check=False).returncode == 0


@contextmanager
def agent(folder: Path, **environment: str) -> Iterator[Path]:
    """Run a real ssh-agent on a socket in ``folder``; it is stopped by its process id."""
    socket = folder / "agent"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SSH_", "DISPLAY"))}
    command = ["ssh-agent", "-D", "-a", str(socket)]
    process = subprocess.Popen(command, env={**clean, **environment}, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()  # it prints its address once it listens
        yield socket
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


def add_key(socket: Path, key: Path, *options: str) -> None:
    """Add a key to a running agent."""
    environment = {**os.environ, "SSH_AUTH_SOCK": str(socket)}
    command = ["ssh-add", "-q", *options, str(key)]
    subprocess.run(command, env=environment, check=True, stdin=subprocess.DEVNULL, capture_output=True)


def public_of(key: Path, passphrase: str) -> str:
    """The public line that ssh-keygen finds in a private key file."""
    command = ["ssh-keygen", "-y", "-P", passphrase, "-f", str(key)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip("\n")
