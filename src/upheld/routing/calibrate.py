"""Choose the limit of a store from the store itself, with no validation data.

* For tasks that *are* governed: every example in turn is held out (five folds) and scored against the rest.
* For tasks that nothing governs: a fifth of the pointers in turn is left out, and their examples ought to get nothing.
* Stored negatives are held out likewise, and ought not to get their pointer.

Half of all tasks are taken to be governed by nothing, and ``NEAR`` of these to lie as near to the store as its own
left-out pointers do; the others share hardly a word with it and load nothing. The limit is the lowest at and above
which the estimated share of wrong loads stays within what is wanted.
"""

from __future__ import annotations

from binascii import crc32
from math import sqrt

from upheld.model.value import Value
from upheld.routing.form import UNCALIBRATED
from upheld.routing.head import Head, Part, encode
from upheld.routing.index import Index
from upheld.routing.lexicon import Lexicon
from upheld.routing.piece import Piece, piece_of
from upheld.routing.score import score
from upheld.routing.terms import clipped
from upheld.routing.write import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from upheld.model.route import Rule

FOLDS = 5
FEWEST = 100
"""Held-out examples needed on either side: fewer cannot show a share of one per cent."""

NEAR = 0.6
"""Share of ungoverned tasks that are near misses. Chosen on the validation part of CLINC150 with 30 intents hidden, six
seeds: the lowest share at which tasks of hidden intents alone, with 1 % wanted, stay below 1.3 % (1.19 on the mean)."""

LOWEST = 0.5
"""No limit is set lower: what matches is more probable than not, however kind the held-out examples are."""

_HIGHEST = 0.9999


class Trial(Value):
    """One held-out text: how probable its best pointer was, and whether that was right. Ungoverned is never right."""

    height: float
    right: bool


class Calibration(Value):
    """What calibration chose and what it rests on.

    Attributes:
        limit: the probability from which a text alone matches; ``UNCALIBRATED`` when there are too few examples.
        wanted: the share of wrong loads that was asked for.
        reached: the estimated share of wrong loads at the limit.
        low: lower end of the 95 % interval of ``reached``.
        high: upper end of it.
        coverage: the estimated share of governed tasks that match rightly by their text alone.
        governed: held-out examples that a pointer governs.
        ungoverned: held-out examples that nothing governs.
    """

    limit: float
    wanted: float
    reached: float
    low: float
    high: float
    coverage: float
    governed: int
    ungoverned: int

    @property
    def is_calibrated(self) -> bool:
        """Whether texts may match by score at all."""
        return self.limit < UNCALIBRATED


def calibrate(rules: tuple[Rule, ...], *, wanted: float = 0.01, lexicon: Lexicon | None = None) -> Calibration:
    """Choose the limit for one store.

    Args:
        rules: the rules of the store, as they will be built.
        wanted: the highest share of wrong loads, between 0 and 1, with half of all tasks governed by nothing.
        lexicon: the table of words that scoring will have; None for none.

    Returns:
        The calibration; *uncalibrated* when there are too few examples, or no limit is low enough.

    Raises:
        ValueError: ``wanted`` is not between 0 and 1.
    """
    if not 0.0 < wanted < 1.0:
        raise ValueError("the wanted share of wrong loads lies between 0 and 1")
    if not may_suffice(rules):
        return _report([], [], UNCALIBRATED, wanted).replace(**_counts(rules))
    trials = _Trials(rules, lexicon or Lexicon())
    governed = trials.held_out_examples()
    ungoverned = [*trials.left_out_pointers(), *trials.held_out_negatives()]
    enough = min(len(governed), len(ungoverned)) >= FEWEST
    limit = max(LOWEST, choose_limit(governed, ungoverned, wanted)) if enough else UNCALIBRATED
    return _report(governed, ungoverned, limit, wanted)


def may_suffice(rules: Iterable[Rule]) -> bool:
    """Whether there are examples enough to calibrate on at all."""
    return min(_counts(tuple(rules)).values()) >= FEWEST


def _counts(rules: tuple[Rule, ...]) -> dict[str, int]:
    return {
        "governed": sum(len(set(rule.fires)) for rule in rules if len(rule.fires) > 1),
        "ungoverned": sum(len(rule.fires) + len(set(rule.nots)) for rule in rules),
    }


def choose_limit(governed: list[Trial], ungoverned: list[Trial], wanted: float, *, near: float = NEAR) -> float:
    """The lowest limit at and above which the share of wrong loads stays within ``wanted``."""
    step = 0.5 / len(governed)
    falls = sorted(
        [(trial.height, 0.0 if trial.right else step) for trial in governed]
        + [(trial.height, 0.5 * near / len(ungoverned)) for trial in ungoverned],
        reverse=True,
    )
    wrong, last = 0.0, 1.0
    for height, cost in falls:
        wrong += cost
        if wrong > wanted:
            return min((height + last) / 2 if last > height else height + 1e-6, 1.0)
        last = height
    return falls[-1][0]


def _report(governed: list[Trial], ungoverned: list[Trial], limit: float, wanted: float) -> Calibration:
    missed = sum(trial.height >= limit and not trial.right for trial in governed)
    taken = sum(trial.height >= limit for trial in ungoverned)
    first, second = _interval(missed, len(governed)), _interval(taken, len(ungoverned))
    covered = sum(trial.height >= limit and trial.right for trial in governed)
    return Calibration(
        limit=limit,
        wanted=wanted,
        reached=(missed / max(1, len(governed)) + NEAR * taken / max(1, len(ungoverned))) / 2,
        low=(first[0] + NEAR * second[0]) / 2,
        high=(first[1] + NEAR * second[1]) / 2,
        coverage=covered / max(1, len(governed)),
        governed=len(governed),
        ungoverned=len(ungoverned),
    )


def _interval(count: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927); everything when nothing was tried."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, count / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - reach), min(1.0, middle + reach)


class _Trials:
    """The refits. What a rule that loses nothing comes to is worked out once."""

    def __init__(self, rules: tuple[Rule, ...], lexicon: Lexicon) -> None:
        self.rules = rules
        self.lexicon = lexicon
        self.pieces = {rule.key: piece_of(rule, lexicon) for rule in rules}

    def held_out_examples(self) -> list[Trial]:
        trials: list[Trial] = []
        for fold in _deal((rule.key, text) for rule in self.rules if len(rule.fires) > 1 for text in rule.fires):
            index = self._without(fold, "fires")
            trials.extend(_try(text, index, right=key) for key, text in fold)
        return trials

    def left_out_pointers(self) -> list[Trial]:
        trials: list[Trial] = []
        for fold in _deal((rule.key, "") for rule in self.rules):
            left_out = {key for key, _ in fold}
            index = self._index(dict.fromkeys(left_out))
            for rule in self.rules:
                if rule.key in left_out:
                    trials.extend(_try(text, index, right=None) for text in rule.fires)
        return trials

    def held_out_negatives(self) -> list[Trial]:
        trials: list[Trial] = []
        for fold in _deal((rule.key, text) for rule in self.rules for text in rule.nots):
            index = self._without(fold, "nots")
            for key, text in fold:
                trial = _try(text, index, right=key)
                trials.append(Trial(height=trial.height if trial.right else 0.0, right=False))
        return trials

    def _without(self, fold: list[tuple[str, str]], part: str) -> Index:
        """An index whose rules have lost some of their ``fires`` or ``nots``, each named by its key and its words."""
        held, lost = set(fold), {key for key, _ in fold}
        kept = (
            rule.replace(**{part: tuple(text for text in getattr(rule, part) if (rule.key, text) not in held)})
            for rule in self.rules
            if rule.key in lost
        )
        return self._index({rule.key: piece_of(rule, self.lexicon) for rule in kept})

    def _index(self, instead: Mapping[str, Piece | None]) -> Index:
        """An index with some rules replaced, or left out."""
        pieces = (instead.get(key, piece) for key, piece in self.pieces.items())
        data = write(piece for piece in pieces if piece is not None)
        part = Part(name=bytes(16), length=len(data), data=data)
        return Index(encode(Head(lexicon=self.lexicon.mark, parts=(part,))), whole=False, lexicon=self.lexicon)


def _deal(cards: Iterable[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Deal into folds by hash, so that neither the order of the rules nor of their examples matters."""
    shuffled = sorted(set(cards), key=lambda card: (crc32("\0".join(card).encode("utf-8", "replace")), card))
    return [fold for fold in (shuffled[start::FOLDS] for start in range(FOLDS)) if fold]


def _try(text: str, index: Index, *, right: str | None) -> Trial:
    ranked = score(clipped(text), index, set()).ranked
    if not ranked:
        return Trial(height=0.0, right=False)
    pointer, height = ranked[0]
    return Trial(height=min(height, _HIGHEST), right=index.key(pointer) == right)
