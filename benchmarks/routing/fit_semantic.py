"""Fit the weights of the fused score (``upheld/stores/semantic/fused.py``) anew, on ``train`` and ``val`` alone.

    python benchmarks/routing/fit_semantic.py path/to/data_full.json [--vectors FILE.npz]

Conditional logistic regression over the best ten entries and *none*, seeds 1 (all intents) and 2 (30 of them hidden),
half of the weight on tasks that nothing governs. Prints weights; changes nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from clinc import draw, load
from numpy.typing import NDArray
from semantic import Vectors

from upheld.stores.semantic.facts import Facts
from upheld.stores.semantic.fused import RIVALS, WITH_HEAD, WITHOUT_HEAD, Weights
from upheld.stores.semantic.head import lowest
from upheld.stores.semantic.minilm import load as load_minilm

Floats = NDArray[np.float32]
Task = tuple[Floats, int]
"""The facts of each entry, and the entry that is right; -1 for none."""


def tasks(
    data: dict[str, list[tuple[str, str]]], seed: int, hidden: int, examples: int, vectors: Vectors
) -> list[Task]:
    """Facts of every validation task of one draw."""
    drawn = draw(data, "val", seed=seed, examples=examples, hidden=hidden)
    facts = Facts(drawn.rules, vectors)
    place = {key: number for number, key in enumerate(facts.keys)}
    asked = [(text, place[key]) for text, key in drawn.governed] + [(text, -1) for text in drawn.far + drawn.near]
    return [(facts.of(text, vectors((text,))[0]), right) for text, right in asked]


def fitted(found: list[Task], columns: list[int], start: list[float]) -> Floats:
    """Weights of these columns and the height of *none*, of the greatest likelihood."""
    weights = np.array(start, np.float32)
    for _ in range(2):  # which entries are best hangs on the weights
        tops = [np.argsort(-(rows[:, columns] @ weights[:-1]))[:RIVALS] for rows, _ in found]
        kept = [(rows[top][:, columns], int(np.argmax(top == right)) if right in top else RIVALS, right)
                for (rows, right), top in zip(found, tops, strict=True) if right < 0 or right in top]  # fmt: skip
        rows = np.array([facts for facts, _, _ in kept], np.float32)
        wanted = np.array([at for _, at, _ in kept])
        governed = np.array([right >= 0 for _, _, right in kept])
        share = np.where(governed, 500.0 / governed.sum(), 500.0 / (~governed).sum()).astype(np.float32)
        weights = lowest(lambda at, r=rows, w=wanted, s=share: _loss(at, r, w, s), weights, rounds=300)  # type: ignore[misc]
    return weights


def _loss(weights: Floats, rows: Floats, wanted: NDArray[np.int64], share: Floats) -> tuple[float, Floats]:
    heights = np.hstack([rows @ weights[:-1], np.full((len(rows), 1), weights[-1], np.float32)])
    heights -= heights.max(axis=1, keepdims=True)
    mass = np.exp(heights)
    parts = mass / mass.sum(axis=1, keepdims=True)
    at = np.arange(len(rows))
    cost = -float((share * np.log(parts[at, wanted] + 1e-30)).sum())
    parts[at, wanted] -= 1
    parts *= share[:, None]
    slope = np.concatenate([np.einsum("nr,nrd->d", parts[:, :-1], rows), parts[:, -1:].sum(axis=0)])
    return cost, np.asarray(slope, np.float32)


def main() -> None:
    """Fit both sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--vectors", type=Path)
    asked = parser.parse_args()
    data, vectors = load(asked.data), Vectors(load_minilm(), asked.vectors)
    kinds: list[tuple[str, int, list[int], Weights]] = [
        ("with a head", 5, [0, 2], WITH_HEAD), ("without", 0, [1, 3], WITHOUT_HEAD)
    ]  # fmt: skip
    for name, examples, columns, now in kinds:
        found = [*tasks(data, 1, 0, examples, vectors), *tasks(data, 2, 30, examples, vectors)]
        start = [*(now.columns[column] for column in columns), now.none]
        print(name, f"columns {columns} and none:", fitted(found, columns, start).round(2).tolist(), "now:", start)


if __name__ == "__main__":
    main()
