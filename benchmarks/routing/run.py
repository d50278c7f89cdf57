"""Measure the core router on CLINC150.

    python benchmarks/routing/run.py path/to/data_full.json [--out FOLDER]

Three seeds. Prints means; with ``--out`` also writes ``results.json`` and the risk-coverage curve as ``curve.svg``.
Only this program reads the test part, and nothing was chosen by what it prints.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from clinc import SEEDS, Draw, Pairs, draw, load
from measure import at_limit, coverage_at, curve, mean, tried

from upheld.model.route import Rule, Task
from upheld.routing.build import build
from upheld.routing.calibrate import calibrate
from upheld.routing.index import Index
from upheld.routing.router import route
from upheld.stores.route_file import shipped_lexicon

WORDS = shipped_lexicon()
LEVELS = (0.01, 0.02, 0.05)
Points = list[tuple[float, float]]


def coverage(data: dict[str, Pairs], examples: int) -> tuple[list[float], Points]:
    """Mean coverage at each level and top-1 accuracy, and the curve of the first seed."""
    rows: list[list[float]] = []
    first: Points = []
    for seed in SEEDS:
        drawn = draw(data, "test", seed=seed, examples=examples)
        index = Index(build(drawn.rules, lexicon=WORDS), lexicon=WORDS)
        governed = tried(drawn.governed, index)
        points = curve(governed, tried(_ungoverned(drawn.far), index))
        first = first or points
        rows.append(
            [*(coverage_at(points, level) for level in LEVELS), sum(right for _, right in governed) / len(governed)]
        )
    return mean(rows), first


def calibrated(data: dict[str, Pairs], examples: int, hidden: int) -> dict[str, list[float]]:
    """What a store reached that was calibrated by itself for 1 %: wrong loads, coverage, out-of-scope recall."""
    rows: dict[str, list[list[float]]] = {"far": [], "near": [], "both": []}
    for seed in SEEDS:
        drawn: Draw = draw(data, "test", seed=seed, examples=examples, hidden=hidden)
        chosen = calibrate(drawn.rules, lexicon=WORDS)
        index = Index(build(drawn.rules, lexicon=WORDS), lexicon=WORDS)
        governed = tried(drawn.governed, index)
        kinds = {"far": drawn.far, "near": drawn.near, "both": drawn.far + drawn.near}
        for name, texts in kinds.items():
            if texts and (hidden or name == "far"):
                ungoverned = tried(_ungoverned(texts), index)
                kept_out = sum(height < chosen.limit for height, _ in ungoverned) / len(ungoverned)
                rows[name].append([*at_limit(governed, ungoverned, chosen.limit), kept_out])
    return {name: mean(values) for name, values in rows.items() if values}


def latency(data: dict[str, Pairs]) -> dict[str, float]:
    """In-process milliseconds a route at 1,000 pointers of five examples, made from the training part."""
    texts = [text for text, _ in data["train"]]
    rules = tuple(
        Rule(key=f"k{n}", read_when=texts[6 * n], fires=tuple(texts[6 * n + 1 : 6 * n + 6])) for n in range(1_000)
    )
    begun = time.perf_counter()
    raw = build(rules, limit=0.9, lexicon=WORDS)
    built = time.perf_counter() - begun
    index = Index(raw, lexicon=WORDS)
    spans: list[float] = []
    for text, _ in data["test"][:2_000]:
        begun = time.perf_counter()
        route(Task(text=text), index)
        spans.append(1_000 * (time.perf_counter() - begun))
    spans.sort()
    return {"build s": built, "MB": len(raw) / 1e6, "p50": spans[1_000], "p95": spans[1_900], "p99": spans[1_980]}


def _ungoverned(texts: list[str]) -> Pairs:
    return [(text, "") for text in texts]


def svg(curves: dict[str, Points]) -> str:
    """The risk-coverage curves as a picture: wrong loads up to 10 % to the right, coverage upwards."""
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-40 -10 460 340" font-family="sans-serif" font-size="10">'
    ]
    for tick in range(0, 11, 2):
        lines.append(f'<text x="{tick * 40 - 6}" y="314">{tick} %</text>')
        lines.append(f'<text x="-34" y="{303 - tick * 30}">{tick * 10} %</text>')
    lines.append('<path d="M0 0V300H400" fill="none" stroke="#888"/>')
    for number, (name, points) in enumerate(curves.items()):
        colour = ("#1b6", "#16b", "#b61")[number % 3]
        shown = [(4_000 * risk, 300 - 300 * covered) for risk, covered in points[::20] if risk <= 0.1]
        trace = " ".join(f"{x:.1f},{y:.1f}" for x, y in shown)
        lines.append(f'<polyline points="{trace}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        lines.append(f'<text x="250" y="{250 + 14 * number}" fill="{colour}">{name}</text>')
    lines.append('<text x="150" y="328">wrong loads (coverage upwards)</text></svg>')
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    data = load(asked.data)
    results: dict[str, object] = {}
    curves: dict[str, Points] = {}
    for examples in (0, 5, 10):
        name = f"{examples} examples" if examples else "name only"
        results[f"coverage at 1/2/5 % and accuracy, {name}"], curves[name] = coverage(data, examples)
        print(list(results.items())[-1], flush=True)
    for hidden in (0, 30):
        results[f"calibrated for 1 %, 5 examples, {hidden} hidden: wrong, coverage, kept out"] = calibrated(
            data, 5, hidden
        )
        print(list(results.items())[-1], flush=True)
    results["latency at 1,000 pointers, ms"] = latency(data)
    print(list(results.items())[-1], flush=True)
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / "results.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
        (asked.out / "curve.svg").write_text(svg(curves), "utf-8")


if __name__ == "__main__":
    main()
