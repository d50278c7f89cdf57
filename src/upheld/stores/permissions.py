"""Who else may write a store's folder, by its permission bits."""

from __future__ import annotations

import os
import stat

from upheld.model.finding import Finding

FOLDERS = ("", "index", "records", "sources", "triggers", "seals", "trust", "log", "proposals")


def writable_by_others(path: str) -> tuple[Finding, ...]:
    """Return a finding for each folder of the store that anybody on the machine may write. POSIX only."""
    if os.name != "posix":
        return ()
    found = []
    for folder in FOLDERS:
        try:
            mode = os.lstat(os.path.join(path, folder)).st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and mode & stat.S_IWOTH:
            found.append(Finding(code="STO009", place=folder or ".", facts=(("mode", f"{stat.S_IMODE(mode):o}"),)))
    return tuple(found)
