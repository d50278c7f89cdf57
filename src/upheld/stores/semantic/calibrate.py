"""Choose the limit of the fused score from the store itself: the folds and the rule of ``upheld.routing.calibrate``.

Each fold refits everything that was fitted on what it leaves out; vectors are of one text each and stay.
"""

from __future__ import annotations

from binascii import crc32

from upheld.model.value import Value
from upheld.routing.calibrate import FEWEST, FOLDS, LOWEST, Trial, calibrate, choose_limit
from upheld.routing.form import UNCALIBRATED
from upheld.stores.route_file import shipped_lexicon
from upheld.stores.semantic.fused import FusedScorer, fused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from upheld.model.route import Rule

    Vectors = Callable[[tuple[str, ...]], NDArray[np.float32]]

_HIGHEST = 0.9999

NEAR = 1.0
"""Share of ungoverned tasks that are taken to be near misses. Chosen on the validation part of CLINC150 with 30 intents
hidden, three seeds: the lowest of 0.6 to 1.6 at which tasks of hidden intents alone, 1 % wanted, stay below 1.3 %."""

TOO_FEW = "this store has too few examples to choose its limit by"

ALL_FOLDS = 2_000
"""Statements up to which every fold is refitted; beyond, the first of each kind is, which holds examples enough."""


class Chosen(Value):
    """What was chosen for one store.

    Attributes:
        limit: the probability from which a text alone matches; ``UNCALIBRATED`` where this score is not to be used.
        why: why it is not; empty where it is.
    """

    limit: float
    why: str = ""


def choose(rules: tuple[Rule, ...], vectors: Vectors, *, wanted: float = 0.01) -> Chosen:
    """Choose the limit for one store, and whether this score finds more in it than words alone do.

    Both are tried on the store's own examples, each held out. In a store whose pointers lie close together, sense
    confuses more than words do; then the core layer is left to it.

    Args:
        rules: the rules, as they will be fitted.
        vectors: gives sentence vectors.
        wanted: the highest share of wrong loads, with half of all tasks governed by nothing.
    """
    sound = tuple(rule for rule in rules if not rule.broken)
    if sum(len(rule.fires) for rule in sound if len(rule.fires) > 1) < FEWEST:
        return Chosen(limit=UNCALIBRATED, why=TOO_FEW)
    governed = _held_out_examples(sound, vectors)
    ungoverned = [*_left_out_pointers(sound, vectors), *_held_out_negatives(sound, vectors)]
    if min(len(governed), len(ungoverned)) < FEWEST:
        return Chosen(limit=UNCALIBRATED, why=TOO_FEW)
    limit = max(LOWEST, choose_limit(governed, ungoverned, wanted, near=NEAR))
    if _count(sound) > ALL_FOLDS:
        return Chosen(limit=limit)  # the words' side would take minutes more
    # Compared as the core layer is calibrated: held to a stricter share than words, sense would lose by that alone.
    alike = max(LOWEST, choose_limit(governed, ungoverned, wanted))
    mine = sum(trial.height >= alike and trial.right for trial in governed) / len(governed)
    words = calibrate(sound, wanted=wanted, lexicon=shipped_lexicon()).coverage
    if mine < words:
        why = f"words alone find more of this store's own examples: {100 * words:.1f} % against {100 * mine:.1f} %"
        return Chosen(limit=UNCALIBRATED, why=why)
    return Chosen(limit=limit)


def _held_out_examples(rules: tuple[Rule, ...], vectors: Vectors) -> list[Trial]:
    trials: list[Trial] = []
    for fold in _dealt_examples(rules):
        held = set(fold)
        kept = [rule.replace(fires=tuple(t for t in rule.fires if (rule.key, t) not in held)) for rule in rules]
        scorer = fused(tuple(kept), vectors)
        trials += [_try(scorer, text, key) for key, text in fold]
    return trials


def _left_out_pointers(rules: tuple[Rule, ...], vectors: Vectors) -> list[Trial]:
    trials: list[Trial] = []
    for fold in _deal(((rule.key, "") for rule in rules), _count(rules)):
        gone = {key for key, _ in fold}
        scorer = fused(tuple(rule for rule in rules if rule.key not in gone), vectors)
        trials += [_try(scorer, text, None) for rule in rules if rule.key in gone for text in rule.fires]
    return trials


def _held_out_negatives(rules: tuple[Rule, ...], vectors: Vectors) -> list[Trial]:
    trials: list[Trial] = []
    for fold in _deal(((rule.key, text) for rule in rules for text in rule.nots), _count(rules)):
        held = set(fold)
        kept = [rule.replace(nots=tuple(t for t in rule.nots if (rule.key, t) not in held)) for rule in rules]
        scorer = fused(tuple(kept), vectors)
        for key, text in fold:
            trial = _try(scorer, text, key)
            trials.append(Trial(height=trial.height if trial.right else 0.0, right=False))
    return trials


def _dealt_examples(rules: tuple[Rule, ...]) -> list[list[tuple[str, str]]]:
    return _deal(((rule.key, text) for rule in rules if len(rule.fires) > 1 for text in rule.fires), _count(rules))


def _count(rules: tuple[Rule, ...]) -> int:
    return sum(1 + len(rule.fires) + len(rule.nots) for rule in rules)


def _deal(cards: Iterable[tuple[str, str]], statements: int) -> list[list[tuple[str, str]]]:
    """Deal into folds by hash, so that neither the order of the rules nor of their examples matters."""
    shuffled = sorted(set(cards), key=lambda card: (crc32("\0".join(card).encode("utf-8", "replace")), card))
    wanted = FOLDS if statements <= ALL_FOLDS else 1
    return [fold for fold in (shuffled[start::FOLDS] for start in range(wanted)) if fold]


def _try(scorer: FusedScorer, text: str, right: str | None) -> Trial:
    ranked, _ = scorer.score(text, frozenset())
    if not ranked:
        return Trial(height=0.0, right=False)
    return Trial(height=min(ranked[0][1], _HIGHEST), right=ranked[0][0] == right)
