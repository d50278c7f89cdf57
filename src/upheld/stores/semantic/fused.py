"""The fused text score: facts of vectors and words, weighed together; the best entries and *none* share one softmax.

Two sets of weights: with a linear head, where pointers have examples enough, and without. They were fitted by maximum
likelihood on training examples and validation tasks of CLINC150 (``benchmarks/routing/fit_semantic.py``), half of the
weight on tasks that nothing governs. The test part was not looked at.
"""

from __future__ import annotations

import numpy as np

from upheld.model.value import Value
from upheld.routing.form import UNCALIBRATED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from upheld.model.route import Rule
    from upheld.stores.semantic.facts import Facts

    Floats = NDArray[np.float32]

RIVALS = 10


class Weights(Value):
    """Weights of the four columns of ``Facts.of``, and the height of *none*."""

    columns: tuple[float, float, float, float]
    none: float


WITH_HEAD = Weights(columns=(1.92, 0.0, 1.75, 0.0), none=8.45)
WITHOUT_HEAD = Weights(columns=(0.0, 13.65, 0.0, 1.77), none=7.16)


class FusedScorer:
    """Implements ``upheld.routing.text_scorer.TextScorer``.

    Args:
        facts: the facts of one version of one store.
        vectors: gives sentence vectors, from the encoder that the facts were made with.
        limit: the probability from which a text alone matches.
    """

    def __init__(self, facts: Facts, vectors: Callable[[tuple[str, ...]], Floats], limit: float = UNCALIBRATED) -> None:
        self._facts = facts
        self._vectors = vectors
        self._owners = facts.owners
        self._weights = WITH_HEAD if facts.has_head else WITHOUT_HEAD
        self._columns = np.array(self._weights.columns, np.float32)
        self._weighed = tuple(number for number, weight in enumerate(self._weights.columns) if weight)
        self._entries: dict[str, list[int]] = {}
        for at, owner in enumerate(facts.owners):
            self._entries.setdefault(facts.keys[owner], []).append(at)
        self.limit = limit

    def score(self, text: str, barred: frozenset[str]) -> tuple[list[tuple[str, float]], float]:
        """Score a text; see ``TextScorer``."""
        if not self._owners:
            return [], 1.0
        rows = self._facts.of(text, self._vectors((text,))[0], columns=self._weighed)
        heights = rows @ self._columns
        for entry in self._barred(barred):
            heights[entry] = -np.inf
        rivals = [int(at) for at in np.argsort(-heights, kind="stable")[:RIVALS] if np.isfinite(heights[at])]
        return self._compete(rivals, heights, self._weights.none)

    def _barred(self, barred: frozenset[str]) -> list[int]:
        """The entries of barred keys, and those that stand for no text at all."""
        return [*self._facts.silent, *(at for key in barred for at in self._entries.get(key, ()))]

    def _compete(self, rivals: list[int], heights: Floats, nothing: float) -> tuple[list[tuple[str, float]], float]:
        top = max([nothing, *(float(heights[at]) for at in rivals)])
        none = float(np.exp(nothing - top))
        mass: dict[str, float] = {}
        for at in rivals:
            part = float(np.exp(heights[at] - top))
            if at < len(self._facts.keys):
                mass[self._facts.keys[self._owners[at]]] = part
            else:
                none += part
        whole = none + sum(mass.values())
        ranked = sorted(((key, part / whole) for key, part in mass.items()), key=lambda pair: (-pair[1], pair[0]))
        return ranked, none / whole


def fused(rules: tuple[Rule, ...], vectors: Callable[[tuple[str, ...]], Floats]) -> FusedScorer:
    """Fit a scorer on the rules of one store, without a limit."""
    from upheld.stores.semantic.facts import Facts

    return FusedScorer(Facts(tuple(sorted(rules, key=lambda rule: rule.key)), vectors), vectors)
