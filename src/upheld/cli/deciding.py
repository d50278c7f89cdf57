"""What the commands of the write gate have in common: their values, and the person who decides about a proposal."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from upheld.cli.asking import Terminal, says_yes
from upheld.cli.options import Shared, shared
from upheld.cli.output import put, write
from upheld.errors import RefusedError, UsageError
from upheld.model.answer import Refusal
from upheld.model.written import Written
from upheld.render import change, proposal
from upheld.render.escape import escape

REFUSED = 4


class Decider(Terminal):
    """A person who has been shown the proposal itself, which says more than the list of files does."""

    def agrees(self, planned: Written) -> bool:
        """Ask; what flags there are stand in ``planned.notes`` and have been shown."""
        if self.yes:
            return True
        # Each was shown alone; what several say of one another was not.
        notes = planned.notes if len(planned.served) > 1 else ()
        agreed = says_yes("".join(f"note: {escape(note)}\n" for note in notes), f"seal {planned.key}?")
        if agreed is None:
            raise UsageError(
                "an approval is a person's, and there is no terminal to ask at",
                help="run it at a terminal; `upheld approve ID --dry-run --digest D` shows what it would write",
            )
        return agreed


def gated(function: Callable[..., object]) -> Callable[..., Any]:
    """Give a command the shared options, print the value that it returns, and show a refusal as one."""

    def command(given: Shared, *args: Any, **options: Any) -> int:
        try:
            value = function(given, *args, **options)
        except RefusedError as error:
            if not isinstance(error.refusal, Refusal):
                raise
            write(error.refusal, given.form)
            return REFUSED
        code = 0
        if isinstance(value, tuple):
            value, code = value
        render = change.rendered if isinstance(value, Written) else proposal.rendered
        put(render(value, given.form))
        return int(code)

    return shared(update_wrapper(command, function))
