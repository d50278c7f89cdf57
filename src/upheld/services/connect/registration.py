"""What one client's registration is: its files, and what goes into each of them. One client a file in ``clients``."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SERVER = "upheld"
"""What our server is called in every client's settings."""
SCOPES = ("user", "project")


class Program(Value):
    """How Upheld is run from here.

    Attributes:
        hook: a client and an event to the line that a shell runs.
        server: a client to the program of its server and the arguments.
    """

    hook: Callable[[str, str], str]
    server: Callable[[str], tuple[str, ...]]


class Hooks(Value):
    """Hooks in the form ``{"hooks": {EVENT: [{"hooks": [...]}]}}``: what each event of the client runs."""

    entries: Mapping[str, Mapping[str, object]]


class Server(Value):
    """A server's entry; ``path`` is where it stands in the file, its name last."""

    path: tuple[str, ...]
    entry: Mapping[str, object]


class Block(Value):
    """A block of Markdown between two marks of ours."""

    lines: tuple[str, ...]


class Raw(Value):
    """The whole of a file that is ours alone; only printed."""

    value: object


class Settings(Value):
    """One file: where it lies below the scope's folder, its format, and what goes in.

    Attributes:
        name: the path, relative to the home folder or the project; a place that a variable moves begins with it
            (``$CODEX_HOME/hooks.json``).
        form: ``json``, ``toml`` or ``markdown``.
        parts: what goes in.
    """

    name: str
    form: str
    parts: tuple[Hooks | Server | Block | Raw, ...]


class Registration(Value):
    """One client.

    Attributes:
        name: what ``connect`` calls it. title: what people call it.
        files: a scope and the way we are run to the files.
        notes: a scope to what the person must still do; nothing of it is ever done for them.
        is_written: ``connect`` edits the files; else it only prints what to put where.
    """

    name: str
    title: str
    files: Callable[[str, Program], tuple[Settings, ...]]
    notes: Callable[[str], tuple[str, ...]]
    is_written: bool = True


def nested(
    program: Program, client: str, events: Mapping[str, str], *, timeout: int, extra: Mapping[str, object] | None = None
) -> Hooks:
    """Return hooks of clients that took over Claude's form: the client's name of an event to ours."""
    made = {
        theirs: {"type": "command", **(extra or {}), "command": program.hook(client, ours), "timeout": timeout}
        for theirs, ours in events.items()
    }
    return Hooks(entries=made)


CLAUDE_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before-tool",
    "SubagentStart": "subagent-start",
}
"""Claude Code's names of the events, which Codex and VS Code share."""
