"""Hold an answer of the router to the verified rule of the key that it names.

The route index is derived and nobody signs it. Before one of its keys is acted on, what the *store* says about that
key is compared with the task again: whoever spoils the file can hide a key, or make a text score higher than it
should, and can neither load a key that vetoes the task nor pretend that a trigger fired.
"""

from __future__ import annotations

from upheld.model.route import STATEMENT, STRUCTURED
from upheld.routing.matching import Prepared, first_hit
from upheld.routing.terms import clipped, statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Choice, Rule, Task


def disagreement(choice: Choice, by: str, rule: Rule, task: Task) -> str:
    """Say in what an answer and the store disagree; empty when they do not.

    Args:
        choice: a key of the answer, with the sentence that the route index gives for it.
        by: what decided, as the answer says; empty for one of several choices.
        rule: the rule of that key, from the verified index and the file of examples that it binds.
        task: the task.
    """
    if rule.broken:
        return f"its trigger cannot be used: {rule.broken}"
    if rule.read_when != choice.read_when:
        return "it has another sentence"
    prepared = Prepared(task)
    form = statement(prepared.clipped)
    veto = first_hit(rule.trigger.not_when, prepared) if rule.trigger else ""
    if veto:
        return f"{veto} in not_when vetoes the task"
    if prepared.clipped and form in _forms(rule.nots):
        return "the task is one of its negative examples"
    if by == STRUCTURED and not first_hit(rule.trigger, prepared):
        return "no matcher of it hits"
    if by == STATEMENT and form not in _forms((rule.read_when, *rule.fires)):
        return "no statement of it is the task's"
    return ""


def _forms(texts: tuple[str, ...]) -> set[str]:
    return {statement(clipped(text)) for text in texts}
