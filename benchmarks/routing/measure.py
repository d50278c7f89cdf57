"""Figures of a router: coverage at an actual share of wrong loads, with half of all tasks governed by nothing."""

from __future__ import annotations

from upheld.routing.index import Index
from upheld.routing.score import score
from upheld.routing.terms import clipped

Outcome = tuple[float, bool]
"""How probable the best pointer was, and whether it was the right one."""


def tried(texts: list[tuple[str, str]], index: Index) -> list[Outcome]:
    """Score tasks by text alone; an ungoverned one has the empty string as its key."""
    outcomes: list[Outcome] = []
    for text, key in texts:
        ranked = score(clipped(text), index, set()).ranked
        outcomes.append((ranked[0][1], index.key(ranked[0][0]) == key) if ranked else (0.0, False))
    return outcomes


def curve(governed: list[Outcome], ungoverned: list[Outcome]) -> list[tuple[float, float]]:
    """The risk-coverage curve: (share of wrong loads, coverage) at every limit, from the strictest on."""
    falls = [(height, 0.0 if right else 0.5 / len(governed), right / len(governed)) for height, right in governed]
    falls += [(height, 0.5 / len(ungoverned), 0.0) for height, _ in ungoverned]
    wrong = covered = 0.0
    points: list[tuple[float, float]] = []
    for _, cost, gain in sorted(falls, key=lambda fall: (-fall[0], -fall[1])):
        wrong += cost
        covered += gain
        points.append((wrong, covered))
    return points


def coverage_at(points: list[tuple[float, float]], wrong: float) -> float:
    """The highest coverage on a curve whose share of wrong loads is at most ``wrong``."""
    return max((covered for risk, covered in points if risk <= wrong + 1e-12), default=0.0)


def at_limit(governed: list[Outcome], ungoverned: list[Outcome], limit: float) -> tuple[float, float]:
    """Share of wrong loads and coverage at one limit."""
    missed = sum(height >= limit and not right for height, right in governed) / len(governed)
    taken = sum(height >= limit for height, _ in ungoverned) / len(ungoverned)
    covered = sum(height >= limit and right for height, right in governed) / len(governed)
    return (missed + taken) / 2, covered


def mean(rows: list[list[float]]) -> list[float]:
    """Column means, in per cent, to a tenth."""
    return [round(100 * sum(column) / len(rows), 1) for column in zip(*rows, strict=True)]
