"""Install the pinned clients from npm into a cache folder, once; say loudly where that cannot be done."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from acceptance.clients.client import Package
from upheld.errors import UpheldError

SECONDS = 240
_LONGEST = 300


class NotInstallableError(UpheldError):
    """A client cannot be installed here; the message says why."""


def cache_folder() -> Path:
    """Where the clients are kept: ``UPHELD_ACCEPTANCE_CACHE``, else a folder of the user's cache."""
    own = os.environ.get("UPHELD_ACCEPTANCE_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "upheld-acceptance"


def install(packages: Iterable[Package], cache: Path) -> None:
    """Install what is not there yet.

    Raises:
        NotInstallableError: npm is missing, or it could not bring one of them.
    """
    for package in packages:
        stamp = cache / package.folder / f".installed-{package.version}"
        if not stamp.exists():
            _bring(package, cache / package.folder)
            stamp.touch()


def _bring(package: Package, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstallableError("npm is not on the PATH")
    folder.mkdir(parents=True, exist_ok=True)
    named = f"{package.name}@{package.version}"
    # No package runs anything while it is installed: what these clients need is in their archives.
    argv = [
        npm,
        "install",
        "--prefix",
        str(folder),
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--fetch-retries=1",
        named,
    ]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise NotInstallableError(f"npm brought no {named} within {SECONDS} s") from None
    if done.returncode:
        raise NotInstallableError(f"npm could not bring {named}: {_said(done.stderr)}")


def _said(complaint: str) -> str:
    """What npm complained of, on one line."""
    lines = (line.removeprefix("npm error").strip() for line in complaint.splitlines())
    return " ".join(line for line in lines if line)[:_LONGEST]
