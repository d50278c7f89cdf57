"""The folders that only Upheld itself writes, and whether a command line could concern them or us at all."""

from __future__ import annotations

import os

from upheld.model.value import Value

_QUOTES = {ord(char): None for char in "'\"\\"}


class Protected(Value):
    """The folders that only Upheld itself writes: real paths, each without a slash at its end."""

    folders: tuple[str, ...]

    def holds(self, path: str, here: str) -> bool:
        """Whether a path, as a tool names it, lies in one of them or is one."""
        if not path or "\0" in path:
            return False
        whole = os.path.normpath(os.path.join(here, expanded(path)))
        return self._has(whole) or self._has(os.path.realpath(whole))

    def is_above(self, path: str, here: str) -> bool:
        """Whether removing a path would take one of them with it."""
        whole = os.path.normpath(os.path.join(here, expanded(path)))
        return self.holds(path, here) or any(folder.startswith(whole.rstrip("/") + "/") for folder in self.folders)

    def _has(self, path: str) -> bool:
        return any(path == folder or path.startswith(folder + os.sep) for folder in self.folders)


def expanded(path: str) -> str:
    """Return a path with the folder that its first step names by a tilde or a variable."""
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        for spelled in (f"${name}", f"${{{name}}}"):
            if path == spelled or path.startswith(spelled + "/"):
                path = ("~" if name == "HOME" else os.environ.get(name) or spelled) + path[len(spelled) :]
    return os.path.expanduser(path)


def may_concern(command: str, protected: Protected) -> bool:
    """Whether a command line is worth reading: it names us, or a folder of ours, with whatever quotes inside."""
    plain = command.translate(_QUOTES).lower()
    return "upheld" in plain or any(os.path.basename(folder).lower() in plain for folder in protected.folders)
