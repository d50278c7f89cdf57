"""The task at hand, prepared once, and one matcher tried against it."""

from __future__ import annotations

from upheld.routing import commands, globs, keywords, tools
from upheld.routing.form import COMMAND, KEYWORD, KINDS, PATH, TOOL
from upheld.routing.terms import clipped
from upheld.routing.words import LONGEST, LONGEST_KEYWORDS, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Matchers, Task

CHECKS = {PATH: globs, TOOL: tools, COMMAND: commands, KEYWORD: keywords}


class Prepared:
    """What matchers and scores need of a task, each taken apart once."""

    __slots__ = ("clipped", "paths", "pieces", "task", "tools", "words")

    def __init__(self, task: Task) -> None:
        self.task = task
        self.clipped = clipped(task.text)
        self.words = self.clipped if len(task.text) <= LONGEST else words(task.text[:LONGEST_KEYWORDS])
        self.paths = task.paths
        self.tools = task.tools
        self.pieces = [piece for command in task.commands for piece in commands.pieces(command)]

    def gates(self) -> set[str]:
        """The gates that this task opens: a matcher whose gate stays shut cannot hit."""
        opened = {f"{PATH}", f"{TOOL}", f"{COMMAND}"}
        for path in self.paths:
            opened.update(f"{PATH}{gate}" for gate in globs.gates(path))
        opened.update(f"{TOOL}{tool}" for tool in self.tools)
        opened.update(f"{COMMAND}{piece[0]}" for piece in self.pieces)
        opened.update([f"{KEYWORD}{word}" for word in self.words])
        return opened


def gate_of(kind: int, pattern: str) -> str:
    """The gate under which a sound matcher is filed; just its kind when nothing about it is literal."""
    if kind == PATH:
        return f"{PATH}{globs.gate(pattern)}"
    if kind == TOOL:
        return f"{TOOL}{'' if '*' in pattern else pattern}"
    if kind == COMMAND:
        first = commands.program_of(pattern.split(maxsplit=1)[0])
        return f"{COMMAND}{'' if '*' in first or '?' in first else first}"
    return f"{KEYWORD}{words(pattern)[0]}"


def hits(kind: int, pattern: str, task: Prepared) -> bool:
    """Whether one matcher hits. A malformed or blanket one never does."""
    if kind == PATH:
        return any(globs.matches(pattern, path) for path in task.paths)
    if kind == TOOL:
        return any(tools.matches(pattern, tool) for tool in task.tools)
    if kind == COMMAND:
        sound = not (commands.fault(pattern) or commands.is_blanket(pattern))
        return sound and any(commands.begins_with(pattern, piece) for piece in task.pieces)
    return kind == KEYWORD and keywords.matches(pattern, task.words)


def first_hit(matchers: Matchers | None, task: Prepared) -> str:
    """The first matcher of a trigger that hits, as ``path `docs/**```; empty when none does."""
    for kind, pattern in listed(matchers):
        if hits(kind, pattern, task):
            return f"{KINDS[kind]} `{pattern}`"
    return ""


def listed(matchers: Matchers | None) -> list[tuple[int, str]]:
    """Every matcher of a trigger with its kind."""
    if matchers is None:
        return []
    by_kind = (
        (PATH, matchers.paths),
        (TOOL, matchers.tools),
        (COMMAND, matchers.commands),
        (KEYWORD, matchers.keywords),
    )
    return [(kind, pattern) for kind, patterns in by_kind for pattern in patterns]


def is_sound(kind: int, pattern: str) -> bool:
    """Whether a matcher is neither malformed nor a blanket."""
    check = CHECKS[kind]
    return not check.fault(pattern) and not check.is_blanket(pattern)
