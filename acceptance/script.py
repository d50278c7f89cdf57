"""What the scripted model says, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from upheld.model.value import Value


class Say(Value):
    """Answer in words, which ends a turn."""

    text: str = "Done."


class Call(Value):
    """Call a tool that the client offers.

    Attributes:
        tool: the tool's name, else a part of it. A tool that is not offered is answered in words, which say so.
        arguments: what it is given; text for a tool that takes no JSON.
    """

    tool: str
    arguments: Mapping[str, Any] | str


Step = Say | Call


class Script(Value):
    """The steps of one run, each played once; behind the last one the model says that it is done.

    Attributes:
        steps: what is said or called, in order.
        tag: stands in the ids of this script's calls, so that a resumed session does not count those of an earlier run.
    """

    steps: tuple[Step, ...] = ()
    tag: str = "a"

    def call_id(self, number: int) -> str:
        """The id of the call that step ``number`` makes."""
        return f"call_{self.tag}_{number}"

    def next_step(self, answered: frozenset[str]) -> tuple[int, Step]:
        """The first call whose result is not in the request, or the words that stand before or behind it."""
        for number, step in enumerate(self.steps):
            if isinstance(step, Say) or self.call_id(number) not in answered:
                return number, step
        return len(self.steps), Say()
