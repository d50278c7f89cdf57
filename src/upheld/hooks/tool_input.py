"""What a tool is about to be used on, whatever its client calls the fields: files, and shell commands."""

from __future__ import annotations

from upheld.hooks.payload import text as clean

COMMAND_FIELDS = ("command", "cmd", "script", "commands")
PATH_FIELDS = (
    "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename", "file",
    "relative_workspace_path", "source", "destination", "old_path", "new_path", "dir_path", "directory", "paths",
    "files", "edits",
)  # fmt: skip
PATCH_LINES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def commands_of(given: dict[str, object]) -> tuple[str, ...]:
    """Return the shell commands in a tool's input; none of a patch that is sent as one."""
    return tuple(command for command in _commands(given) if not command.lstrip().startswith("*** Begin Patch"))


def _commands(given: dict[str, object]) -> list[str]:
    found: list[str] = []
    for name in COMMAND_FIELDS:
        value = given.get(name)
        if type(value) is str:
            found.append(clean(given, name))
        elif type(value) is list and all(type(item) is str for item in value):
            # An argument vector: a shell's own script is the command.
            found.append(
                str(value[2]) if len(value) == 3 and value[1] in ("-c", "-lc") else " ".join(map(_quoted, value))
            )
    return found


def _quoted(word: object) -> str:
    text = str(word)
    return (
        text
        if text.replace("-", "").replace("/", "").replace(".", "").isalnum()
        else "'" + text.replace("'", "'\\''") + "'"
    )


def paths_of(given: dict[str, object]) -> tuple[str, ...]:
    """Return the files that a tool's input names, in the order met."""
    found: list[str] = []
    for name in PATH_FIELDS:
        _add(found, given.get(name))
    for value in given.values():
        if type(value) is str and "*** " in value:
            found += _patched(value)
    return tuple(dict.fromkeys(path for path in found if path and "\0" not in path))


def _add(found: list[str], value: object) -> None:
    if type(value) is str:
        found.append(value.encode("utf-8", "replace").decode("utf-8"))
    elif type(value) is list:
        for item in value[:1000]:
            if type(item) is dict:
                found += paths_of(item)
            else:
                _add(found, item if type(item) is str else None)


def _patched(patch: str) -> list[str]:
    lines = (line.strip() for line in patch.split("\n"))
    return [line[len(start) :].strip() for line in lines for start in PATCH_LINES if line.startswith(start)]


WRITTEN_FIELDS = frozenset(
    [
        "content",
        "contents",
        "file_text",
        "new_string",
        "old_string",
        "new_str",
        "old_str",
        "newString",
        "oldString",
        "edits",
        "insert_text",
        "new_source",
        "code_edit",
        "patch",
        "replacement",
        "destination",
        "new_path",
    ]
)
_WRITING = (
    "write",
    "edit",
    "patch",
    "create",
    "delete",
    "remove",
    "move",
    "rename",
    "replace",
    "insert",
    "save",
    "mkdir",
)


def is_writing(tool: str, given: dict[str, object]) -> bool:
    """Whether a tool's name, or what it is given, says that it changes the files that it names."""
    name = tool.lower()
    patches = any(type(value) is str and "*** " in value and _patched(value) for value in given.values())
    return patches or not WRITTEN_FIELDS.isdisjoint(given) or any(word in name for word in _WRITING)
