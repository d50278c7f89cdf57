"""The demonstration's store in a folder, for tests that need any store at all."""

from __future__ import annotations

from pathlib import Path

from upheld.compose.clock import today
from upheld.services.demo.spoil import write_files
from upheld.services.demo.store import build


def make_store(folder: Path) -> Path:
    """Write the store in its unsealed form, as of today, and return its folder."""
    write_files(build(today()), folder)
    return folder
