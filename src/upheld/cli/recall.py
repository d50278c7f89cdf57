"""The recall command, without the command framework."""

from __future__ import annotations

import sys

from upheld.cli.output import put, write
from upheld.compose.library import open
from upheld.errors import UsageError
from upheld.model.answer import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.cli.cold import RecallCall


def run(call: RecallCall) -> int:
    """Recall one key, print the outcome, return the exit code: 0 served, 4 refused.

    Raises:
        UpheldError: as the tree in ``upheld.errors`` says.
    """
    memory = open(call.store, unsealed=call.unsealed, as_of=call.as_of, pin=call.pin)
    if call.chosen_by is not None and call.receipt is None:
        raise UsageError("`--chosen-by` is written into a receipt, and none is asked for", help="add `--receipt FILE`")
    if call.receipt is None:
        outcome = memory.recall(call.key)
    else:
        from upheld.compose.receipts import recall_with_receipt

        outcome = recall_with_receipt(memory, call.key, call.receipt, chosen_by=call.chosen_by or "caller")
    if not isinstance(outcome, Answer):
        write(outcome, call.format, store=memory.path)
        return 4
    if call.line and call.format in ("text", "concise"):
        from upheld.render.text import line

        put(line(outcome))
        _mention(outcome)
    else:
        write(outcome, call.format, store=memory.path)
        if call.format == "concise":
            _mention(outcome)
    return 0


def _mention(answer: Answer) -> None:
    """Say on standard error what an answer of one line has no room for."""
    for notice in answer.notices:
        sys.stderr.write(f"{notice.severity}[{notice.code}]: {notice.entry.what}\n  = help: {notice.help}\n")
