"""Hold the log of the hooks to what the models were sent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from acceptance.played import Played
from acceptance.scenarios.scenario import Fact

PLACE = "hooks/log.jsonl"


def lines_of(state: Path) -> tuple[dict[str, Any], ...]:
    """Every line of the log in a state folder, the older file first."""
    files = [state / f"{PLACE}.1", state / PLACE]
    return tuple(json.loads(line) for file in files if file.exists() for line in file.read_text("utf-8").splitlines())


def agrees(log: Iterable[Mapping[str, Any]], day: Iterable[Played], held: Mapping[str, str]) -> Iterator[Fact]:
    """Say whether the log tells the day as the models saw it.

    Args:
        log: its lines.
        day: every prompt that was played in the place that the log is about.
        held: every key with its current text.
    """
    lines, played = tuple(log), tuple(day)
    asked = [line for line in lines if line["event"] == "prompt"]
    yield _same("a line for every prompt", Counter(all=len(asked)), Counter(all=len(played)))
    matched = Counter(key for line in asked if line["outcome"] == "match" for key in line["keys"])
    arrived = Counter(key for one in played if one.at == "prompt" for key in one.served)
    yield _same("each text at a prompt was noted, and each that was noted arrived", matched, arrived)
    current = {sha256(text.encode()).hexdigest() for text in held.values()}
    noted = {digest for line in lines for digest in line["sha256"]}
    yield Fact(holds=noted <= current, what="no digest but those of current texts", saw=str(len(noted - current)))
    faults = Counter(line["code"] for line in lines if line["outcome"] in ("fault", "refused", "unchecked"))
    yield Fact(holds=not faults, what="no fault, no refusal", saw=str(dict(faults)) if faults else "")


def _same(what: str, logged: Counter[str], seen: Counter[str]) -> Fact:
    return Fact(holds=logged == seen, what=what, saw=f"logged {dict(logged)}, seen {dict(seen)}")
