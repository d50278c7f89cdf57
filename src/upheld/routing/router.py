"""Route a task: structured triggers, then near-exact statements, then scores; each says why, none is averaged.

1. Vetoes: a stored negative stated word for word, and a pointer's own ``not_when``, take the pointer out for good.
2. A pointer that the task talks *about* is taken out, save where a path, tool or command at hand fires it.
3. Structured triggers: one hit is a match; ties go to ``overrides`` and ``together_with``; any other is ambiguous.
4. A statement of a trigger, exact or nearly so, matches; a tie is treated alike.
5. The text alone: a match from the calibrated limit up; else ambiguous or none, whichever is the more probable.
"""

from __future__ import annotations

from _struct import error as struct_error  # type: ignore[attr-defined]  # typeshed leaves it out

from upheld.model.route import (
    AMBIGUOUS,
    MATCH,
    NONE,
    SCORE,
    STATEMENT,
    STRUCTURED,
    UNCHECKED,
    Choice,
    Route,
)
from upheld.routing.form import BROKEN, KEY, KEYWORD, KINDS, UNCALIBRATED, IndexUnreadableError
from upheld.routing.index import Index, nowhere
from upheld.routing.matching import Prepared, hits
from upheld.routing.resolve import load_together, resolve
from upheld.routing.statements import stated, talked_about
from upheld.routing.words import mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.route import Task
    from upheld.routing.lexicon import Lexicon
    from upheld.routing.score import Scored
    from upheld.routing.text_scorer import TextScorer

MOST_CHOICES = 5
_WORTH_A_CHOICE = 0.02
_TOO_FEW = 'not calibrated (`upheld triggers add KEY --fires "..."`, then `upheld triggers calibrate`)'
_UNREADABLE = (IndexUnreadableError, IndexError, ValueError, OverflowError, TypeError, ZeroDivisionError, struct_error)


def open_index(
    buffer: bytes | memoryview,
    *,
    digest: bytes | None = None,
    whole: bool = True,
    lexicon: Lexicon | None = None,
    segments: Callable[[bytes, int], memoryview | None] = nowhere,
) -> Index | Route:
    """Open a route index (see ``Index``), or say in an ``unchecked`` route why that cannot be done."""
    try:
        return Index(buffer, digest=digest, whole=whole, lexicon=lexicon, segments=segments)
    except _UNREADABLE as fault:
        return unchecked(f"the route index cannot be used: {_reason(fault)}")


def unchecked(why: str) -> Route:
    """The answer of a router that has nothing to route with; it is never ``none``."""
    return Route(outcome=UNCHECKED, why=why)


def route(task: Task, index: Index, texts: TextScorer | None = None) -> Route:
    """Route one task.

    Args:
        task: what is about to be done.
        index: an open route index.
        texts: what scores the text in place of the core layer, with a limit of its own; None for the core layer.

    Returns:
        The route. A damaged index gives ``unchecked``, never an exception.
    """
    try:
        return _Routing(task, index, texts).answer()
    except _UNREADABLE as fault:
        return unchecked(f"the route index cannot be used: {_reason(fault)}")


def _reason(fault: Exception) -> str:
    return str(fault) if isinstance(fault, IndexUnreadableError) else "a number in it leads nowhere"


class _Routing:
    """One task on its way through the numbered steps."""

    def __init__(self, task: Task, index: Index, texts: TextScorer | None) -> None:
        self.task = Prepared(task)
        self.index = index
        self.texts = texts
        self.skipped: tuple[str, ...] = ()
        self.stated, self.barred = stated(self.task.clipped, index)
        self.vetoed: dict[int, str] = dict.fromkeys(self.barred, "the task is one of its negative examples")
        self.about = talked_about(task.text, index)

    def answer(self) -> Route:
        answer = self._structured() or self._stated() or self._scored()
        return answer.replace(
            why=answer.why + self._vetoes(), skipped=self._skipped(everything=answer.outcome != MATCH)
        )

    def _vetoes(self) -> str:
        """What a veto took out, and which one."""
        named = sorted((self.index.key(pointer), veto) for pointer, veto in self.vetoed.items())
        return "".join(f"; not `{key}`: {veto}" for key, veto in named[:MOST_CHOICES])

    def _structured(self) -> Route | None:
        fired: dict[int, str] = {}
        for number in self._candidates():
            pointer, kind, pattern = self.index.matcher(number)
            if pointer in fired or (pointer in self.about and kind == KEYWORD):
                continue
            if kind < KEY and hits(kind, pattern, self.task) and not self._is_vetoed(pointer):
                fired[pointer] = f"{KINDS[kind]} `{pattern}` of `{self.index.key(pointer)}`"
        return self._settle(fired, STRUCTURED) if fired else None

    def _candidates(self) -> list[int]:
        opened = self.task.gates()
        return sorted({number for gate in opened for number in self.index.gated(mark(gate))})

    def _is_vetoed(self, pointer: int) -> bool:
        if pointer not in self.vetoed:
            for kind, pattern in self.index.vetoes(pointer):
                if hits(kind, pattern, self.task):
                    self.vetoed[pointer] = f"{KINDS[kind]} `{pattern}` in not_when vetoes it"
                    break
        return pointer in self.vetoed

    def _stated(self) -> Route | None:
        fired = {
            pointer: f"states the trigger of `{self.index.key(pointer)}`"
            for pointer in self.stated - self.about
            if not self._is_vetoed(pointer)
        }
        return self._settle(fired, STATEMENT) if fired else None

    def _settle(self, fired: dict[int, str], by: str) -> Route:
        left = sorted(resolve(set(fired), self.index.overrides), key=self.index.key)
        why = "; ".join(fired[pointer] for pointer in left[:MOST_CHOICES])
        if len(left) == 1 or load_together(set(left), self.index.together):
            chosen = tuple(self._choice(pointer, fired[pointer]) for pointer in left)
            return Route(outcome=MATCH, keys=tuple(one.key for one in chosen), why=why, by=by, choices=chosen)
        choices = tuple(self._choice(pointer, fired[pointer]) for pointer in left[:MOST_CHOICES])
        return Route(
            outcome=AMBIGUOUS, why=f"{len(left)} pointers fire and none overrides the others: {why}", choices=choices
        )

    def _choice(self, pointer: int, why: str) -> Choice:
        return Choice(key=self.index.key(pointer), read_when=self.index.read_when(pointer), why=why)

    def _scored(self) -> Route:
        if not self.task.clipped:
            return Route(outcome=NONE, why="the task has no words, and nothing at hand fires a trigger")
        scored = self._without_vetoed()
        if self.about:
            names = ", ".join(
                f"`{self.index.key(pointer)}`" for pointer in sorted(self.about, key=self.index.key)[:MOST_CHOICES]
            )
            return Route(outcome=NONE, why=f"the task talks about {names}; `recall` it by name to load it")
        if not scored.ranked:
            return Route(outcome=NONE, why="no pointer shares a word with the task")
        return self._decide(scored)

    def _without_vetoed(self) -> Scored:
        """Score, and again without whatever turns out to be vetoed among the best, until none is."""
        barred = set(self.barred)
        while True:
            scored = self._score(barred | self.about)
            found = {pointer for pointer, _ in scored.ranked if self._is_vetoed(pointer)} - barred
            if not found:
                return scored
            barred |= found

    def _score(self, barred: set[int]) -> Scored:
        # Only here: a task that a trigger or a statement settles needs no scores.
        from upheld.routing.score import Scored, score

        if self.texts is None:
            return score(self.task.clipped, self.index, barred)
        ranked, none = self.texts.score(self.task.task.text, frozenset(self.index.key(pointer) for pointer in barred))
        found = ((self._pointer_of(key), part) for key, part in ranked)
        return Scored([(pointer, part) for pointer, part in found if pointer is not None], none)

    def _pointer_of(self, key: str) -> int | None:
        """The pointer of a key; None where this index has none, which the scorer was then not made for."""
        found = (self.index.matcher(number) for number in self.index.gated(mark(f"{KEY}{key.casefold()}")))
        return next((pointer for pointer, kind, name in found if kind == KEY and name == key), None)

    def _decide(self, scored: Scored) -> Route:
        limit = self.index.limit if self.texts is None else self.texts.limit
        (best, height), second = scored.ranked[0], scored.ranked[1][1] if len(scored.ranked) > 1 else 0.0
        figures = "" if self.texts is None else "semantic "
        figures += f"score {height:.2f} over {second:.2f}, none {scored.none:.2f}, limit "
        figures += f"{limit:.2f}" if limit < UNCALIBRATED else _TOO_FEW
        if height >= limit:
            chosen = self._choice(best, f"score {height:.2f}")
            return Route(outcome=MATCH, keys=(chosen.key,), why=figures, by=SCORE, choices=(chosen,))
        if scored.none >= 0.5:
            return Route(outcome=NONE, why=figures)
        worth = [pair for pair in scored.ranked[:MOST_CHOICES] if pair[1] >= _WORTH_A_CHOICE]
        choices = tuple(self._choice(pointer, f"score {height:.2f}") for pointer, height in worth)
        return Route(outcome=AMBIGUOUS, why=figures, choices=choices)

    def _skipped(self, *, everything: bool) -> tuple[str, ...]:
        """What never fires, for it could not be read: broken triggers always, single patterns where nothing matched."""
        found = (self.index.matcher(number) for number in self.index.gated(mark("unsound")))
        return tuple(
            sorted(
                f"{KINDS[kind]} `{pattern}` of `{self.index.key(pointer)}`"
                for pointer, kind, pattern in found
                if everything or kind == BROKEN
            )
        )
