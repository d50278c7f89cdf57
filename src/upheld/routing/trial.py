"""Try a store's routing on tasks whose answer is known: what ``triggers test`` prints, as one value."""

from __future__ import annotations

from upheld.model.route import AMBIGUOUS, MATCH, UNCHECKED, Task
from upheld.model.value import Value
from upheld.routing.router import route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from upheld.model.route import Route
    from upheld.routing.index import Index


class Case(Value):
    """One task and what should come of it.

    Attributes:
        task: the task.
        key: the pointer that the case is about.
        should: whether that pointer should load. A case that should not may rightly load another one.
        only: whether nothing else may load either: ``should`` false and ``only`` true is a task that nothing governs.
    """

    task: Task
    key: str
    should: bool
    only: bool = False


class Score(Value):
    """What came of some cases, as counts.

    Attributes:
        should: cases whose pointer should load.
        right: of these, the ones that loaded exactly it.
        ambiguous: of these, the ones answered *ambiguous*.
        among: of the ambiguous ones, those whose choices hold the right key.
        should_not: cases whose pointer should not load.
        wrong: cases that loaded what they should not: another key, or the key of a *should not*.
        unchecked: cases that could not be routed.
        confusions: (wanted key, loaded key, how often), most frequent first; the wanted key is empty for *should not*.
    """

    should: int = 0
    right: int = 0
    ambiguous: int = 0
    among: int = 0
    should_not: int = 0
    wrong: int = 0
    unchecked: int = 0
    confusions: tuple[tuple[str, str, int], ...] = ()

    @property
    def coverage(self) -> float:
        """Share of the cases that should load which loaded rightly; 0 when there are none."""
        return self.right / self.should if self.should else 0.0

    @property
    def wrong_load(self) -> float:
        """Share of all cases that loaded what they should not; 0 when there are none."""
        whole = self.should + self.should_not
        return self.wrong / whole if whole else 0.0


def cases_of(key: str, rows: object) -> tuple[Case, ...]:
    """Read the ``[{"query": ..., "should_trigger": true}]`` that skill authors keep, already parsed from JSON.

    Raises:
        ValueError: naming the row that is of another form.
    """
    if not isinstance(rows, list):
        raise ValueError("a trigger test file is a list of rows")
    found: list[Case] = []
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ValueError(f"[{number}] is not an object")
        query, should = row.get("query"), row.get("should_trigger")
        if not isinstance(query, str) or not isinstance(should, bool):
            raise ValueError(f"[{number}] needs `query`, a text, and `should_trigger`, true or false")
        found.append(Case(task=Task(text=query), key=key, should=should))
    return tuple(found)


def try_cases(cases: Iterable[Case], index: Index) -> Score:
    """Route every case and count."""
    counts = dict.fromkeys(("should", "right", "ambiguous", "among", "should_not", "wrong", "unchecked"), 0)
    confused: dict[tuple[str, str], int] = {}
    for case in cases:
        answer = route(case.task, index)
        counts["should" if case.should else "should_not"] += 1
        counts["unchecked"] += answer.outcome == UNCHECKED
        if case.should:
            counts["right"] += answer.keys == (case.key,)
            counts["ambiguous"] += answer.outcome == AMBIGUOUS
            counts["among"] += any(choice.key == case.key for choice in answer.choices)
        wrong = _wrong_key(case, answer)
        if wrong:
            counts["wrong"] += 1
            pair = (case.key if case.should else "", wrong)
            confused[pair] = confused.get(pair, 0) + 1
    ordered = sorted(confused.items(), key=lambda item: (-item[1], item[0]))
    return Score(**counts, confusions=tuple((wanted, got, count) for (wanted, got), count in ordered))


def _wrong_key(case: Case, answer: Route) -> str:
    """The key that loaded and should not have; empty when none did."""
    if answer.outcome != MATCH:
        return ""
    if case.should:
        others = [key for key in answer.keys if key != case.key]
        return others[0] if others else ""
    if case.only:
        return answer.keys[0]
    return case.key if case.key in answer.keys else ""


def regressed(now: Score, before: Score) -> bool:
    """Whether a score is worse than a stored one: more wrong loads, or less coverage, as shares."""
    return now.wrong_load > before.wrong_load or now.coverage < before.coverage
