"""The options that say when an instruction applies, for every command that takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from upheld.errors import UsageError
from upheld.model.route import Matchers
from upheld.model.trigger_edit import TriggerEdit

_OPTIONS = (
    ("--fires", "fires", "TASK", "An example of a task that it governs."),
    ("--not", "nots", "TASK", "An example of a task that it does not govern; obeyed word for word."),
    ("--path", "paths", "GLOB", "Files that it governs, as a gitignore-style glob."),
    ("--tool", "tools", "NAME", "A tool that it governs; * stands for any run of characters."),
    ("--command", "commands", "PATTERN", "Commands that it governs, by their first words."),
    ("--keyword", "keywords", "WORD", "A word or phrase that says it applies."),
    ("--not-when", "not_when", "KIND:PATTERN", "What vetoes it: path:, tool:, command: or keyword:, and a pattern."),
    ("--together-with", "together_with", "KEY", "A key that loads together with it, where that one says so too."),
    ("--overrides", "overrides", "KEY", "A key that gives way where both fire."),
)
_KINDS = {"path": "paths", "tool": "tools", "command": "commands", "keyword": "keywords"}


def matched(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; each may be given several times."""
    for spelling, name, metavar, text in reversed(_OPTIONS):
        function = click.option(spelling, name, multiple=True, metavar=metavar, help=text)(function)
    return function


def take_edit(options: dict[str, Any], when: str | None = None) -> TriggerEdit:
    """Take the values of these options out of ``options`` and return them as one edit.

    Raises:
        UsageError: a ``--not-when`` does not say of which kind it is.
    """
    given = {name: tuple(options.pop(name)) for _, name, _, _ in _OPTIONS}
    vetoes: dict[str, tuple[str, ...]] = {}
    for text in given.pop("not_when"):
        kind, colon, pattern = text.partition(":")
        if not colon or kind not in _KINDS:
            raise UsageError(f"--not-when {text[:80]!r} names no kind", help='write --not-when "path:docs/legal/**"')
        vetoes[_KINDS[kind]] = (*vetoes.get(_KINDS[kind], ()), pattern)
    return TriggerEdit(when=when or "", not_when=Matchers(**vetoes), **given)
