"""A change of one trigger, as a caller asks for it."""

from __future__ import annotations

from upheld.model.route import Matchers
from upheld.model.value import Value


class TriggerEdit(Value):
    """What to add to a trigger, or to take out of it.

    Attributes:
        when: the new sentence; empty leaves it.
        fires, nots: examples.
        paths, tools, commands, keywords: patterns.
        not_when: patterns that veto.
        together_with, overrides: keys.
    """

    when: str = ""
    fires: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    not_when: Matchers = Matchers()
    together_with: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return self == TriggerEdit()
