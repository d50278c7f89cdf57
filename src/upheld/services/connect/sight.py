"""What ``doctor`` sees of the clients' side: every entry of ours in their settings, and what decides about it."""

from __future__ import annotations

from upheld.model.value import Value
from upheld.services.connect.ours import hook_of, is_server, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Path = tuple[str | int, ...]


class Run(Value):
    """A program that an entry runs.

    Attributes:
        program: as the entry names it.
        found: its absolute path; empty where there is none.
        is_executable: whether it may be run.
        is_shim: it only looks for the real program, each time anew.
        version: of the Upheld that it runs; None where nothing is said, empty where there is none.
    """

    program: str
    found: str
    is_executable: bool
    is_shim: bool
    version: str | None


class Entry(Value):
    """One entry of ours.

    Attributes:
        client: whose settings. scope: ``user``, ``project`` or ``plugin``.
        file: the settings file. path: where in it.
        event: our name of the event; empty for a server.
        entry: as it stands there.
        run: what it runs.
    """

    client: str
    scope: str
    file: str
    path: Path
    event: str
    entry: Mapping[str, object]
    run: Run

    @property
    def place(self) -> str:
        """The path inside the file, dotted."""
        return dotted(self.path)


class Notes(Value):
    """A memory file of the client's own: how long it is."""

    file: str
    lines: int
    size: int


class Sight(Value):
    """Everything at once.

    Attributes:
        project: the project's top folder.
        version: of the Upheld that looks.
        entries: hooks and servers of ours, in every file that a client reads.
        settings: a client to its settings files, each as plain values.
        edited: files whose block was edited.
        notes: Claude Code's own memory of this project; None where there is none.
        trusted_hooks: the keys of hooks that Codex holds a person's trust for.
        trusted_folders: a folder to what Gemini CLI was told of it.
        project_state: what Claude Code remembers of this project.
        store: the store here, where it is sealed and not pinned; empty otherwise.
        unread: files that could not be read, and why.
    """

    project: str
    version: str
    entries: tuple[Entry, ...] = ()
    settings: Mapping[str, tuple[tuple[str, Mapping[str, object]], ...]]
    edited: tuple[str, ...] = ()
    notes: Notes | None = None
    trusted_hooks: frozenset[str] = frozenset()
    trusted_folders: Mapping[str, object]
    project_state: Mapping[str, object]
    store: str = ""
    unread: tuple[str, ...] = ()


def entries_in(tree: object, path: Path = ()) -> Iterator[tuple[Path, str, Mapping[str, object]]]:
    """Yield path, event (empty for a server) and entry of everything of ours in a settings file, wherever it stands."""
    if isinstance(tree, dict):
        flat = {**tree, "command": tree.get("bash")} if "bash" in tree else tree
        hook = hook_of(flat)
        if hook is not None or is_server(flat):
            yield path, hook[1] if hook is not None else "", flat
            return
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, child in children:
        yield from entries_in(child, (*path, key))


def program_of(entry: Mapping[str, object]) -> str:
    """Return the program of an entry: the first word of its command."""
    from shlex import split

    command = entry.get("command")
    if isinstance(command, list):
        return str(command[0]) if command else ""
    if isinstance(command, str) and entry.get("args") is None:
        try:
            return split(command)[0]
        except (ValueError, IndexError):
            return ""
    return str(command or "")


def folders_of(entry: Mapping[str, object]) -> tuple[str, ...]:
    """Return the folders that a hook's line names for imports."""
    import ast
    import re

    words = words_of(entry).replace("'\"'\"'", "'")
    found = re.search(r"sys\.path \+= (\[.*?\]);", words)
    try:
        listed = ast.literal_eval(found[1]) if found else []
    except (ValueError, SyntaxError):
        return ()
    return tuple(folder for folder in listed if isinstance(folder, str))


def dotted(path: Path) -> str:
    """Write a path as ``hooks.SessionStart[0]``."""
    made = ""
    for part in path:
        made += f"[{part}]" if isinstance(part, int) else f".{part}" if made else part
    return made
