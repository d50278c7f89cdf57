"""CLINC150 as the benchmark sees it: rules drawn from ``train``, tasks from ``val`` or ``test``.

Tuning may read ``train``, ``oos_train``, ``val`` and ``oos_val``; only ``run.py`` reads ``test`` and ``oos_test``, and
chooses nothing by it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NamedTuple

from upheld.model.route import Rule

Pairs = list[tuple[str, str]]
SEEDS = (1, 2, 3)


class Draw(NamedTuple):
    """One drawn store and the tasks to try on it; ``near``: tasks of hidden intents, ``far``: out of scope."""

    rules: tuple[Rule, ...]
    governed: Pairs
    far: list[str]
    near: list[str]


def load(path: Path) -> dict[str, Pairs]:
    """Read ``data_full.json``."""
    return {name: [(text, label) for text, label in rows] for name, rows in json.loads(path.read_text("utf-8")).items()}


def draw(data: dict[str, Pairs], part: str, *, seed: int, examples: int, hidden: int = 0) -> Draw:
    """Draw a store with so many examples an intent, hiding some intents altogether.

    Args:
        data: the data set.
        part: ``val`` or ``test``.
        seed: what to draw by.
        examples: examples for each intent; the name alone for 0.
        hidden: how many intents the store does not have.
    """
    chance = random.Random(seed)
    by_intent: dict[str, list[str]] = {}
    for text, label in data["train"]:
        by_intent.setdefault(label, []).append(text)
    labels = sorted(by_intent)
    gone = set(chance.sample(labels, hidden))
    rules = tuple(
        Rule(
            key=label.replace("_", "-"),
            read_when=label.replace("_", " "),
            fires=tuple(chance.sample(by_intent[label], examples)),
        )
        for label in labels
        if label not in gone
    )
    far = data[f"oos_{part}"] + (data["oos_train"] if part == "val" else [])
    return Draw(
        rules,
        [(text, label.replace("_", "-")) for text, label in data[part] if label not in gone],
        [text for text, _ in far],
        [text for text, label in data[part] if label in gone],
    )
