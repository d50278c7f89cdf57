"""Write the `.out` files anew from the `.in` files beside them: run it, and read the difference before you commit it."""

from __future__ import annotations

from pathlib import Path

from connect_world import settings
from upheld.services.connect.edit import connected

FOLDER = Path(__file__).parent / "connect" / "settings"
CASES = {
    "claude-hooks-of-others": ("claude", 0),
    "claude-state": ("claude", 1),
    "codex-hooks-trusted": ("codex", 0),
    "codex-config": ("codex", 1),
    "gemini-comments": ("gemini", 0),
    "gemini-crlf-tabs": ("gemini", 0),
    "agents-no-last-line-end": ("agents-md", 0),
}
"""A file's name to the client and the number of its file."""


def main() -> None:
    """Write them."""
    for name, (client, number) in CASES.items():
        before = (FOLDER / f"{name}.in").read_bytes().decode()
        (FOLDER / f"{name}.out").write_bytes(connected(before, settings(client, number)).encode())


if __name__ == "__main__":
    main()
