"""Measure the semantic layer on CLINC150 and on the realistic store, beside a peer's rule on the same vectors.

    python benchmarks/routing/semantic.py path/to/data_full.json [--part val] [--out FOLDER] [--vectors FILE.npz]

Needs ``upheld[semantic]``. Three seeds. ``--vectors`` keeps vectors between runs: encoding 23,700 texts takes minutes.
``--peer PYTHON`` runs the package ``semantic-router`` in another environment over the same vectors (``peer.py``).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from pathlib import Path

import numpy as np
from clinc import SEEDS, Draw, Pairs, draw, load
from measure import Outcome, at_limit, coverage_at, curve, mean
from numpy.typing import NDArray
from realistic import HERE, rule_of, task_of
from run import LEVELS, Points, svg

from upheld.model.route import Rule, Task
from upheld.routing.build import build
from upheld.routing.calibrate import calibrate
from upheld.routing.index import Index
from upheld.routing.router import route
from upheld.stores.route_file import shipped_lexicon
from upheld.stores.semantic.calibrate import choose
from upheld.stores.semantic.facts import said_by
from upheld.stores.semantic.fused import FusedScorer, fused
from upheld.stores.semantic.minilm import load as load_minilm
from upheld.stores.semantic.onnx_encoder import OnnxEncoder

Floats = NDArray[np.float32]


class Vectors:
    """Vectors of texts, each encoded once, kept in a file where one is named."""

    def __init__(self, encoder: OnnxEncoder, file: Path | None) -> None:
        self.encoder, self.file = encoder, file
        self.kept: dict[str, Floats] = {}
        if file is not None and file.exists():
            found = np.load(file)
            self.kept = dict(zip((str(text) for text in found["texts"]), found["rows"], strict=True))

    def __call__(self, texts: tuple[str, ...]) -> Floats:
        for text in texts:
            if text not in self.kept:
                self.kept[text] = self.encoder.vectors((text,))[0]
        return np.array([self.kept[text] for text in texts], np.float32)

    def save(self) -> None:
        if self.file is not None:
            np.savez(self.file, texts=np.array(list(self.kept)), rows=np.array(list(self.kept.values())))


def tried(texts: Pairs, scorer: FusedScorer) -> list[Outcome]:
    """Score tasks by text alone; an ungoverned one has the empty string as its key."""
    outcomes: list[Outcome] = []
    for text, key in texts:
        ranked, _ = scorer.score(text, frozenset())
        outcomes.append((ranked[0][1], ranked[0][0] == key) if ranked else (0.0, False))
    return outcomes


def by_rule(drawn: Draw, vectors: Vectors, rule: str) -> tuple[list[Outcome], list[Outcome]]:
    """What ``mean`` or ``max`` of the five nearest statements says, summed up by key: the peer's rule, not the peer."""
    said = [(text, one.key) for one in drawn.rules for text in (said_by(one)[:1] if not one.fires else one.fires)]
    rows = vectors(tuple(text for text, _ in said))
    keys = [key for _, key in said]

    def outcome(text: str, right: str) -> Outcome:
        near = rows @ vectors((text,))[0]
        found: dict[str, list[float]] = {}
        for at in np.argsort(-near)[:5]:
            found.setdefault(keys[at], []).append(float(near[at]))
        heights = {key: max(near) if rule == "max" else sum(near) / len(near) for key, near in found.items()}
        best = max(heights, key=lambda key: heights[key])
        return heights[best], best == right

    return [outcome(*pair) for pair in drawn.governed], [outcome(text, "") for text in drawn.far]


def shares(governed: list[Outcome], ungoverned: list[Outcome]) -> list[float]:
    """Coverage at each level, and top-1 accuracy."""
    points = curve(governed, ungoverned)
    return [*(coverage_at(points, level) for level in LEVELS), sum(right for _, right in governed) / len(governed)]


def coverage(data: dict[str, Pairs], part: str, examples: int, vectors: Vectors) -> tuple[dict[str, object], Points]:
    """Means of coverage and accuracy, of this layer and of the two rules; the curve of the first seed."""
    rows: dict[str, list[list[float]]] = {"semantic": [], "peer's rule, mean@5": [], "peer's rule, max@5": []}
    first: Points = []
    for seed in SEEDS:
        drawn = draw(data, part, seed=seed, examples=examples)
        scorer = fused(drawn.rules, vectors)
        governed, far = tried(drawn.governed, scorer), tried([(text, "") for text in drawn.far], scorer)
        first = first or curve(governed, far)
        rows["semantic"].append(shares(governed, far))
        for rule in ("mean", "max"):
            rows[f"peer's rule, {rule}@5"].append(shares(*by_rule(drawn, vectors, rule)))
    return {name: mean(values) for name, values in rows.items()}, first


def calibrated(data: dict[str, Pairs], part: str, hidden: int, vectors: Vectors) -> dict[str, list[float]]:
    """What a store reached that chose its limit for 1 % by itself: wrong loads, coverage, out-of-scope recall."""
    rows: dict[str, list[list[float]]] = {"far": [], "near": [], "both": []}
    for seed in SEEDS:
        drawn = draw(data, part, seed=seed, examples=5, hidden=hidden)
        chosen = choose(drawn.rules, vectors)
        if chosen.why:
            # Words would decide then: a row of noughts would measure neither.
            raise SystemExit(f"seed {seed}, {hidden} hidden: the semantic layer is not used: {chosen.why}")
        limit = chosen.limit
        scorer = fused(drawn.rules, vectors)
        governed = tried(drawn.governed, scorer)
        for name, texts in {"far": drawn.far, "near": drawn.near, "both": drawn.far + drawn.near}.items():
            if texts and (hidden or name == "far"):
                ungoverned = tried([(text, "") for text in texts], scorer)
                kept_out = sum(height < limit for height, _ in ungoverned) / len(ungoverned)
                rows[name].append([*at_limit(governed, ungoverned, limit), kept_out])
    return {name: mean(values) for name, values in rows.items() if values}


def realistic(vectors: Vectors) -> dict[str, float]:
    """Shares of the realistic tasks: governed right, ambiguous with the truth, nothing, wrong; ungoverned wrong."""
    rules = tuple(rule_of(row) for row in json.loads((HERE / "store.json").read_text("utf-8")))
    rows = json.loads((HERE / "tasks.json").read_text("utf-8"))
    chosen = choose(rules, vectors)
    print(f"realistic store: {chosen!r}")
    scorer = fused(rules, vectors) if not chosen.why else None
    if scorer is not None:
        scorer.limit = chosen.limit
    words = shipped_lexicon()
    index = Index(build(rules, limit=calibrate(rules, lexicon=words).limit, lexicon=words), lexicon=words)
    counts = dict.fromkeys(("right", "ambiguous, truth among", "nothing", "wrong", "ungoverned wrong"), 0)
    for row in rows:
        answer, want = route(task_of(row), index, scorer), tuple(row["want"])
        if not want:
            counts["ungoverned wrong"] += answer.outcome == "match"
        elif answer.outcome == "match":
            counts["right" if answer.keys == want else "wrong"] += 1
        else:
            among = answer.outcome == "ambiguous" and any(one.key == want[0] for one in answer.choices)
            counts["ambiguous, truth among" if among else "nothing"] += 1
    governed = sum(bool(row["want"]) for row in rows)
    found = {name: round(100 * count / governed, 1) for name, count in counts.items() if "un" not in name}
    ungoverned = round(100 * counts["ungoverned wrong"] / (len(rows) - governed), 1)
    return {**found, "ungoverned wrong": ungoverned}


def latency(data: dict[str, Pairs], vectors: Vectors) -> dict[str, float]:
    """In-process milliseconds a route at 1,000 pointers of five examples, the encoder's run included."""
    texts = [text for text, _ in data["train"]]
    rules = tuple(
        Rule(key=f"k{n}", read_when=texts[6 * n], fires=tuple(texts[6 * n + 1 : 6 * n + 6])) for n in range(1_000)
    )
    begun = time.perf_counter()
    scorer = FusedScorer(fused(rules, vectors)._facts, vectors.encoder.vectors, 0.9)
    fitting = time.perf_counter() - begun
    index = Index(build(rules, limit=0.9, lexicon=shipped_lexicon()), lexicon=shipped_lexicon())
    spans, busy = [], []
    for text, _ in data["val"][:300]:
        begun, before = time.perf_counter(), time.process_time()
        route(Task(text=text), index, scorer)
        spans.append(1_000 * (time.perf_counter() - begun))
        busy.append(1_000 * (time.process_time() - before))
    spans.sort()
    busy.sort()
    return {
        "fit s": fitting,
        "p50": spans[150],
        "p95": spans[285],
        "processor p50": busy[150],
        "processor p95": busy[285],
    }


def peer(python: str, data: dict[str, Pairs], part: str, vectors: Vectors) -> object:
    """Run the package itself in its own environment, on the first seed's store and the same vectors."""
    found: dict[str, list[float]] = {}
    for rule in ("mean", "max"):
        rows = []
        for seed in SEEDS:
            drawn = draw(data, part, seed=seed, examples=5)
            texts = sorted({t for r in drawn.rules for t in r.fires} | {t for t, _ in drawn.governed} | set(drawn.far))
            asked = {
                "rule": rule,
                "routes": {one.key: one.fires for one in drawn.rules},
                "tasks": [text for text, _ in drawn.governed] + drawn.far,
                "vectors": dict(zip(texts, vectors(tuple(texts)).tolist(), strict=True)),
            }
            command = [python, str(Path(__file__).parent / "peer.py")]
            said = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True).stdout
            heights = json.loads(said.splitlines()[-1])
            wanted = [key for _, key in drawn.governed] + [""] * len(drawn.far)
            outcomes = [(height, name == want) for (name, height), want in zip(heights, wanted, strict=True)]
            rows.append(shares(outcomes[: len(drawn.governed)], outcomes[len(drawn.governed) :]))
        found[f"semantic-router, {rule}@5"] = mean(rows)
    return found


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", choices=("val", "test"), default="test")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--peer", metavar="PYTHON")
    asked = parser.parse_args()
    data = load(asked.data)
    vectors = Vectors(load_minilm(), asked.vectors)
    results: dict[str, object] = {}
    curves: dict[str, Points] = {}

    def note(name: str, value: object) -> None:
        results[name] = value
        print(name, value, flush=True)

    note("realistic store, semantic", realistic(vectors))
    for examples in (0, 5, 10):
        name = f"{examples} examples" if examples else "name only"
        found, curves[name] = coverage(data, asked.part, examples, vectors)
        note(f"coverage at 1/2/5 % and accuracy, {name}", found)
    vectors.save()
    if asked.peer:
        note("the package, 5 examples", peer(asked.peer, data, asked.part, vectors))
    for hidden in (0, 30):
        found = dict(calibrated(data, asked.part, hidden, vectors))
        note(f"calibrated for 1 %, 5 examples, {hidden} hidden: wrong, coverage, kept out", found)
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / "semantic.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
        (asked.out / "semantic-curve.svg").write_text(svg(curves), "utf-8")
    print("latency at 1,000 pointers, ms", latency(data, vectors), flush=True)


if __name__ == "__main__":
    main()
