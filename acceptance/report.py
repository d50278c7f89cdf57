"""One result, three forms: JSON for machines, a table for the page, and lines for the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from acceptance.judge import CANDIDATES, NOTICE, RIGHT, SILENT, UNTRUE, WRONG
from acceptance.played import Played
from acceptance.scenarios.scenario import Fact
from upheld.model.value import Value

WRONG_LIMIT = 0.01


class Tried(Value):
    """One scenario in one client."""

    name: str
    facts: tuple[Fact, ...]
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether every fact is as it must be. A scenario that looked at nothing does not hold."""
        return bool(self.facts) and all(fact.holds for fact in self.facts)


class ClientResult(Value):
    """What one client came to.

    Attributes:
        client: its name.
        version: exactly which.
        skipped: why it was not run; empty where it was.
        day: every prompt.
        scenarios: every scenario.
        outside: hosts that it tried to reach, each refused.
    """

    client: str
    version: str
    skipped: str = ""
    day: tuple[Played, ...] = ()
    scenarios: tuple[Tried, ...] = ()
    outside: tuple[str, ...] = ()


class Figure(Value):
    """The figure that counts, over any number of prompts."""

    governed: int
    right: int
    early: int
    candidates: int
    notice: int
    wrong: int
    untrue: int
    silent: int
    ungoverned: int
    quiet: int
    asked: int

    @property
    def good(self) -> bool:
        """Nothing untrue, nothing unsaid, and under one per cent wrong."""
        count = self.governed + self.ungoverned
        return count > 0 and not self.untrue and not self.silent and self.wrong < WRONG_LIMIT * count


def figure(day: Iterable[Played]) -> Figure:
    """Count."""
    played = tuple(day)
    governed = [one for one in played if one.expects]
    free = [one for one in played if not one.expects]

    def count(of: Iterable[Played], *outcomes: str) -> int:
        return sum(one.outcome in outcomes for one in of)

    return Figure(
        governed=len(governed),
        right=count(governed, RIGHT),
        early=sum(one.outcome == RIGHT and one.at == "prompt" for one in governed),
        candidates=count(governed, CANDIDATES),
        notice=count(governed, NOTICE),
        wrong=count(played, WRONG),
        untrue=count(played, UNTRUE),
        silent=count(played, SILENT, "failed"),
        ungoverned=len(free),
        quiet=count(free, NOTICE),
        asked=count(free, CANDIDATES),
    )


def good(results: Iterable[ClientResult]) -> bool:
    """Whether everything that was run is as it must be."""
    run = [one for one in results if not one.skipped]
    return all(figure(one.day).good for one in run if one.day) and all(
        tried.holds for one in run for tried in one.scenarios
    )


def as_json(results: Iterable[ClientResult], *, day: str, upheld: str) -> str:
    """The machine-readable result: figures first, then every prompt and every fact."""
    kept = tuple(results)
    whole = [one for result in kept for one in result.day]
    document = {
        "date": day,
        "upheld": upheld,
        "good": good(kept),
        "figure": _fields(figure(whole)),
        "clients": [_client(result) for result in kept],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _client(result: ClientResult) -> dict[str, Any]:
    scenarios = [
        {"name": tried.name, "holds": tried.holds, "seconds": tried.seconds, "facts": [_fields(f) for f in tried.facts]}
        for tried in result.scenarios
    ]
    return {
        "client": result.client,
        "version": result.version,
        "skipped": result.skipped,
        "figure": _fields(figure(result.day)),
        "outside": list(result.outside),
        "scenarios": scenarios,
        "day": [_fields(one) for one in result.day],
    }


def _fields(value: Value) -> dict[str, Any]:
    return {name: getattr(value, name) for name in type(value)._fields}


ROWS = (
    ("governed prompts", "governed"),
    ("... exactly the right, current text", "right"),
    ("... of these already at the prompt", "early"),
    ("... candidates, the right one among them", "candidates"),
    ("... an honest notice and no text", "notice"),
    ("prompts that nothing governs", "ungoverned"),
    ("... no text", "quiet"),
    ("... no text, but candidates", "asked"),
    ("a right text for the wrong task", "wrong"),
    ("a prompt without a word of Upheld's, or a client that failed", "silent"),
    ("anything that is not current and verified", "untrue"),
)


def table(document: Mapping[str, Any]) -> str:
    """The result as Markdown, from its JSON form."""
    clients = [one for one in document["clients"] if not one["skipped"]]
    lines = _figures(clients, document["figure"]) if document["figure"]["governed"] else []
    lines += ["", *_scenarios(clients)]
    lines += [f"\n{one['client']} was not run: {one['skipped']}" for one in document["clients"] if one["skipped"]]
    return "\n".join(lines) + "\n"


BEGIN, END = "<!-- acceptance: begin -->\n", "<!-- acceptance: end -->\n"


def with_table(page: str, document: Mapping[str, Any]) -> str:
    """The page with this result's table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\nRun on {document['date']}.\n\n{table(document)}\n{END}{after}"


def _figures(clients: Iterable[Mapping[str, Any]], together: Mapping[str, int]) -> list[str]:
    kept = tuple(clients)
    head = ["", *(f"{one['client']} {one['version']}" for one in kept), "together"]
    lines = [_row(head), _row(["---"] * len(head))]
    for words, name in ROWS:
        lines.append(_row([words, *(str(one["figure"][name]) for one in kept), str(together[name])]))
    return lines


def _scenarios(clients: Iterable[Mapping[str, Any]]) -> list[str]:
    kept = tuple(clients)
    names = list(dict.fromkeys(tried["name"] for one in kept for tried in one["scenarios"]))
    lines = [_row(["scenario", *(one["client"] for one in kept)]), _row(["---"] * (len(kept) + 1))]
    for name in names:
        marks = []
        for one in kept:
            found = [tried["holds"] for tried in one["scenarios"] if tried["name"] == name]
            marks.append(("holds" if found[0] else "**does not hold**") if found else "not for this client")
        lines.append(_row([name, *marks]))
    return lines if names else []


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
