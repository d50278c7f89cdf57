"""route: from the task at hand to the keys that govern it, to none, or to an honest "ambiguous".

The steps are numbered as in docs/explanation/routing.md. The route index only proposes: every key that it names is
looked up in the admitted index, and the rule found there is held to the task again.
"""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.checks.trie import pointer_in
from upheld.errors import BusyError, FaultError, StorageError
from upheld.model.answer import Refusal
from upheld.model.finding import worst_first
from upheld.model.route import UNCHECKED, Routed
from upheld.routing.confirm import disagreement
from upheld.routing.index import Index as RouteIndex
from upheld.routing.router import route as decide
from upheld.routing.router import unchecked
from upheld.services.snapshot import decoded, index_bytes, is_still, leaf_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.index import Index
    from upheld.model.route import Choice, Route, Task
    from upheld.ports.store import ReadableStore
    from upheld.routing.text_scorer import TextScorer
    from upheld.services.snapshot import Admission

    Admit = Callable[[bytes, Index], Admission]
    ScorerFor = Callable[[ReadableStore, Index], TextScorer | str | None]

ATTEMPTS = 5
REBUILD = "run `upheld triggers build`"


def route(
    store: ReadableStore,
    task: Task,
    *,
    routes: Callable[[bytes], RouteIndex | Route | None],
    today: str,
    admit: Admit,
    scorer_for: ScorerFor | None = None,
) -> Routed | Refusal:
    """Route one task over one store.

    Args:
        store: the store.
        task: what is about to be done.
        routes: opens this place's route index, given the digest that it must be built for; an ``unchecked`` route
            where it cannot be used, None where there is none. Never built here.
        today: the day it is, UTC.
        admit: decides whether this index may be used at all.
        scorer_for: gives what scores texts in place of the core layer, for an index that was admitted; or why there is
            none, which the answer then says.

    Returns:
        The route; a refusal where the index must not be used. Where there is no route index of this very version of
        the store, the outcome is ``unchecked``, never ``none``.

    Raises:
        BusyError: the store kept changing.
    """
    for _ in range(ATTEMPTS):
        before, outcome = _attempt(store, task, routes, today, admit, scorer_for)
        # Whatever is less than an answer may only be a commit in flight.
        if (isinstance(outcome, Routed) and outcome.outcome != UNCHECKED) or is_still(store, before):
            return outcome
    raise BusyError("the store kept changing while it was read", help="try again in a moment")


def _attempt(
    store: ReadableStore,
    task: Task,
    routes: Callable[[bytes], RouteIndex | Route | None],
    today: str,
    admit: Admit,
    scorer_for: ScorerFor | None,
) -> tuple[bytes | None, Routed | Refusal]:
    data: bytes | None = None
    try:
        # 1. The index: read, decoded, admitted; as for a recall.
        data = index_bytes(store)
        index = decoded(data)
        admission = admit(data, index)
        if admission.refusals:
            return data, Refusal(key="", findings=worst_first(admission.refusals), as_of=today)
        # 2. The route index that was built for exactly these bytes.
        # 3. The decision.
        texts = None if scorer_for is None else scorer_for(store, index)
        answer = _decided(task, routes(bytes.fromhex(index.node.sha256)), texts)
        # 4. Every key that it names, held to the verified store.
        answer = _confirmed(store, index, answer, task)
    except FaultError as fault:
        return data, Refusal(key="", findings=(finding_of(fault),), as_of=today)
    return data, _routed(answer, index, admission)


def _decided(task: Task, found: RouteIndex | Route | None, texts: TextScorer | str | None) -> Route:
    if found is None:
        return unchecked(f"route index missing: {REBUILD}")
    if not isinstance(found, RouteIndex):
        return found.replace(why=f"{found.why}: {REBUILD}")
    if not isinstance(texts, str):
        try:
            return decide(task, found, texts)
        except StorageError as error:  # the encoder could not be run; whoever asks next has it tried again
            texts = error.message
    answer = decide(task, found)
    return answer.replace(why=f"{answer.why}; without the semantic layer: {texts}")


def _confirmed(store: ReadableStore, index: Index, answer: Route, task: Task) -> Route:
    for choice in answer.choices:
        wrong = _disagreement(store, index, choice, answer.by, task)
        if wrong:
            return unchecked(f"the route index and the store disagree about `{choice.key}`: {wrong}; {REBUILD}")
    return answer


def _disagreement(store: ReadableStore, index: Index, choice: Choice, by: str, task: Task) -> str:
    from upheld.services.rules import rule_of  # only here: most tasks are governed by nothing

    leaf, findings = leaf_of(store, index, choice.key)
    if leaf is not None and not findings:
        pointer, findings = pointer_in(leaf, choice.key)
        if pointer is not None and not findings:
            return disagreement(choice, by, rule_of(store, pointer), task)
    return f"{findings[0].code} where its pointer should be" if findings else "the store has no such pointer"


def _routed(answer: Route, index: Index, admission: Admission) -> Routed:
    return Routed(
        outcome=answer.outcome,
        why=answer.why,
        by=answer.by,
        choices=answer.choices,
        skipped=answer.skipped,
        sealed=admission.sealed,
        version=index.version,
        not_checked=admission.not_checked,
        notices=admission.notices,
    )
