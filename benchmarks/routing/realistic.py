"""The figure that counts: 30 pointers, 300 tasks with paths and commands, half of them governed by nothing.

    python benchmarks/routing/realistic.py

The store and the tasks were committed before the router and chose nothing (see ``realistic/README.md``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from upheld.model.route import Matchers, Rule, Task, Trigger
from upheld.routing.build import build
from upheld.routing.calibrate import calibrate
from upheld.routing.index import Index
from upheld.routing.router import route
from upheld.stores.route_file import shipped_lexicon

HERE = Path(__file__).parent / "realistic"


def rule_of(row: dict[str, Any]) -> Rule:
    """One row of ``store.json`` as a rule."""
    trigger = {name: _tuples(value) for name, value in row["trigger"].items()}
    return Rule(
        key=row["key"],
        read_when=row["read_when"],
        trigger=Trigger(**trigger),
        fires=tuple(row["fires"]),
        nots=tuple(row["nots"]),
    )


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else Matchers(**{name: tuple(part) for name, part in value.items()})


def task_of(row: dict[str, Any]) -> Task:
    """One row of ``tasks.json`` as a task."""
    return Task(
        text=row["text"],
        paths=tuple(row.get("paths", ())),
        tools=(row["tool"],) if "tool" in row else (),
        commands=(row["command"],) if "command" in row else (),
    )


def main() -> None:
    """Route every task and print the shares."""
    rules = tuple(rule_of(row) for row in json.loads((HERE / "store.json").read_text("utf-8")))
    rows = json.loads((HERE / "tasks.json").read_text("utf-8"))
    chosen = calibrate(rules, lexicon=shipped_lexicon())
    print(f"calibration: {chosen!r}")
    index = Index(build(rules, limit=chosen.limit, lexicon=shipped_lexicon()), lexicon=shipped_lexicon())
    counts: dict[tuple[bool, str], int] = {}
    wrong: list[str] = []
    for row in rows:
        answer = route(task_of(row), index)
        want, by = tuple(row["want"]), "structured" if "`" in answer.why and "score" not in answer.why else "text"
        outcome = answer.outcome
        if outcome == "match":
            outcome = f"right, {by}" if answer.keys == want else f"wrong, {by}"
        if outcome == "ambiguous" and want:
            outcome += ", truth among" if want[0] in [choice.key for choice in answer.choices] else ", truth missing"
        if outcome.startswith("wrong"):
            wrong.append(f"{row['text']!r}: wanted {want}, got {answer.keys}: {answer.why}")
        counts[bool(want), outcome] = counts.get((bool(want), outcome), 0) + 1
    for governed in (True, False):
        of = sum(count for (is_governed, _), count in counts.items() if is_governed == governed)
        print("governed" if governed else "ungoverned", of)
        for (is_governed, outcome), count in sorted(counts.items()):
            if is_governed == governed:
                print(f"  {outcome:32} {100 * count / of:5.1f} %")
    print("wrong loads:", *wrong, sep="\n  ")


if __name__ == "__main__":
    main()
