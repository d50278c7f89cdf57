"""The recall command, without the command framework."""

from __future__ import annotations

import sys

from upheld.compose.library import open
from upheld.model.answer import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.cli.cold import RecallCall
    from upheld.model.answer import Refusal


def run(call: RecallCall) -> int:
    """Recall one key, print the outcome, return the exit code: 0 served, 4 refused.

    Raises:
        UpheldError: as the tree in ``upheld.errors`` says.
    """
    outcome = open(call.store, unsealed=call.unsealed, as_of=call.as_of).recall(call.key)
    sys.stdout.write(rendered(outcome, call.format, line=call.line))
    sys.stdout.flush()
    return 0 if isinstance(outcome, Answer) else 4


def rendered(outcome: Answer | Refusal, form: str, *, line: bool = False) -> str:
    """Render an outcome in one of the output formats."""
    if isinstance(outcome, Answer):
        return _answer(outcome, form, line=line)
    from upheld.render import findings

    if form == "json":
        from upheld.render.jsontext import dumps

        return dumps(findings.refusal_json(outcome)) + "\n"
    if form == "concise":
        return findings.refusal_concise(outcome)
    return findings.refusal_text(outcome)


def _answer(answer: Answer, form: str, *, line: bool) -> str:
    from upheld.render import answer as render

    if form == "json":
        from upheld.render.jsontext import dumps

        return dumps(render.as_json(answer)) + "\n"
    if line:
        return render.line(answer)
    return render.concise(answer) if form == "concise" else render.text(answer)
