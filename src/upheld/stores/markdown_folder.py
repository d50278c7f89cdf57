"""The Markdown files of a folder, for an import: below it, hidden ones left out, no link followed, all bounded."""

from __future__ import annotations

import os
from collections.abc import Iterator

from upheld.checks.sources import MAX_BYTES
from upheld.errors import FaultError, UsageError
from upheld.stores.files import Files

MAX_FILES = 10_000
_ENDS = (".md", ".markdown")


def markdown_files(folder: str) -> Iterator[tuple[str, bytes | FaultError]]:
    """Yield each file by its name relative to the folder, sorted, with its bytes or what keeps them from being read.

    Raises:
        UsageError: the folder is not there, or holds too many files.
    """
    if not os.path.isdir(folder):
        raise UsageError(f"{folder} is no folder")
    with Files(folder) as files:
        for name in sorted(_names(folder)):
            try:
                yield name, files.read(name, MAX_BYTES)
            except FaultError as fault:
                yield name, fault


def _names(folder: str) -> Iterator[str]:
    count = 0
    for here, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            if name.startswith(".") or not name.lower().endswith(_ENDS):
                continue
            count += 1
            if count > MAX_FILES:
                raise UsageError(f"{folder} holds more than {MAX_FILES:,} Markdown files", help="import a part of it")
            yield os.path.relpath(os.path.join(here, name), folder).replace(os.sep, "/")
