"""The names that registries give to this machine."""

from __future__ import annotations

import platform


def native() -> str:
    """The platform as packages of native programs are called: ``linux-x64``, ``darwin-arm64``."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower())
    return f"{platform.system().lower()}-{machine or platform.machine().lower()}"
