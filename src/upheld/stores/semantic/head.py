"""A linear softmax head: multinomial logistic regression with an L2 penalty, fitted by L-BFGS (Liu and Nocedal 1989).

Nothing is drawn at random and the start is nought, so the same rows give the same head.
"""

from __future__ import annotations

import numpy as np

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Loss = Callable[[Floats], tuple[float, Floats]]

MEMORY = 8
ROUNDS = 60
_ENOUGH = 1e-4
_SHORTEST = 1e-8
_TOLD = 1e-7
"""Share of a loss below which a sum of 32-bit numbers does not tell whether it falls: looking for a step there would
halve it again and again, each time at the price of the whole loss, and find none."""


def fit(rows: Floats, labels: NDArray[np.int64], classes: int, *, penalty: float) -> Floats:
    """Fit the weights of each class.

    Args:
        rows: one row of features a text.
        labels: the class of each row.
        classes: how many classes there are.
        penalty: what the squared weights cost, beside the sum of the rows' losses.

    Returns:
        Features by classes: ``row @ weights`` are the heights of the classes.
    """
    own = np.arange(len(rows)), labels

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(rows.shape[1], classes)
        heights = rows @ weights
        heights -= heights.max(axis=1, keepdims=True)
        right = heights[own]
        masses = np.exp(heights, out=heights)  # in place from here on: these are the largest arrays
        sums = masses.sum(axis=1, keepdims=True)
        cost = float(np.log(sums).sum() - right.sum()) + 0.5 * penalty * float(flat @ flat)
        masses /= sums
        masses[own] -= 1.0
        slope = rows.T @ masses
        slope += np.float32(penalty) * weights
        return cost, slope.ravel()

    start = np.zeros(rows.shape[1] * classes, np.float32)
    return lowest(loss, start).reshape(rows.shape[1], classes)


def lowest(loss: Loss, start: Floats, rounds: int = ROUNDS) -> Floats:
    """Walk down a convex loss from ``start``, for so many rounds, or until it is flat as far as can be told.

    Args:
        loss: gives the loss at a place, and its slope.
        start: where to begin.
        rounds: steps at most.
    """
    here, (cost, slope) = start, loss(start)
    first = float(np.linalg.norm(slope)) or 1.0
    steps: list[tuple[Floats, Floats]] = []
    for _ in range(rounds):
        way = -_turned(slope, steps)
        length = 1.0 if steps else min(1.0, 1.0 / float(np.linalg.norm(slope) + 1e-12))
        found = _step(loss, here, cost, slope, way, length)
        if found is None:
            break
        there, cost, after = found
        moved, change = there - here, after - slope
        if float(moved @ change) > 1e-10:
            steps = [*steps[-MEMORY + 1 :], (moved, change)]
        here, slope = there, after
        if float(np.linalg.norm(slope)) < _ENOUGH * first:
            break
    return here


def _step(
    loss: Loss, here: Floats, cost: float, slope: Floats, way: Floats, length: float
) -> tuple[Floats, float, Floats] | None:
    """Go along ``way`` as far as the loss falls by what Armijo's rule asks; None where none is to be told."""
    falls = float(slope @ way)
    while length > _SHORTEST and -length * falls > _TOLD * abs(cost):
        there = here + np.float32(length) * way
        then, after = loss(there)
        if then <= cost + 1e-4 * length * falls:
            return there, then, after
        length *= 0.5
    return None


def _turned(slope: Floats, steps: list[tuple[Floats, Floats]]) -> Floats:
    """The slope times the inverse curvature that the last steps show (the two loops of L-BFGS)."""
    turned = slope.copy()
    shares: list[float] = []
    for moved, change in reversed(steps):
        share = float(moved @ turned) / float(moved @ change)
        shares.append(share)
        turned -= np.float32(share) * change
    if steps:
        moved, change = steps[-1]
        turned *= np.float32(float(moved @ change) / float(change @ change))
    for (moved, change), share in zip(steps, reversed(shares), strict=True):
        turned += np.float32(share - float(change @ turned) / float(moved @ change)) * moved
    return turned
