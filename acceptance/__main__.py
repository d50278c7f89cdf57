"""Run the acceptance: install the clients, play the day and the scenarios, print the figure first."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import upheld
from acceptance import day
from acceptance.clients import CLIENTS
from acceptance.clients.client import Client
from acceptance.hook_log import agrees, lines_of
from acceptance.install import NotInstallableError, cache_folder, install
from acceptance.played import Played, play
from acceptance.report import ClientResult, Tried, as_json, good, table, with_table
from acceptance.scenarios import SCENARIOS
from acceptance.scenarios.scenario import KEPT, Fact, Scenario
from acceptance.world import World

SIDE_BY_SIDE = 2
LONGEST = 14 * 60.0
ENOUGH = 40
STRIDE = 3
UNPLAYED = "unplayed"
LOG = "the log of the hooks tells the day as the models saw it"
RECORDED = Path(__file__).parent / "results.json"
PAGE = Path(__file__).parent.parent / "docs/explanation/acceptance.md"
EXIT_FAILED, EXIT_UNCHECKED = 1, 3


class Bench:
    """Runs what it is given, a few at a time, in folders below one folder, until the time is up."""

    def __init__(self, folder: Path, programs: Path, *, jobs: int, longest: float) -> None:
        self.folder = folder
        self.programs = programs
        self.end = self._last = time.monotonic() + longest
        self.pool = ThreadPoolExecutor(jobs)
        self.worlds: list[World] = []

    def world(self, client: Client, name: str, kept: Sequence[day.Instruction]) -> World:
        """A built world in a folder of its own."""
        made = World(client, self.folder / f"{client.name}-{name}", self.programs)
        self.worlds.append(made)
        made.build(kept)
        return made

    def outside(self, client: Client) -> tuple[str, ...]:
        """The hosts that a client tried to reach besides its model, each refused."""
        worlds = [world for world in self.worlds if world.client is client]
        return tuple(sorted({host for world in worlds for host in world.outside}))

    def share(self, clients: int) -> None:
        """Give the next client its share of the time that is left for so many."""
        now = time.monotonic()
        self.end = now + (self._last - now) / clients

    def late(self) -> bool:
        """Whether the time is up: nothing is begun any more."""
        return time.monotonic() > self.end


def run_day(bench: Bench, client: Client, prompts: Sequence[day.Prompt]) -> tuple[tuple[Played, ...], Tried]:
    """Every prompt of the day, in one world, and whether the log of the hooks tells the same."""
    began = time.monotonic()
    kept = day.instructions()
    world = bench.world(client, "day", kept)
    held = {one.key: one.text for one in kept}

    def one(prompt: day.Prompt) -> Played:
        if bench.late():
            return Played(prompt=prompt.name, expects=prompt.expects, outcome=UNPLAYED)
        played = play(world, prompt, held)
        _tell(f"{client.name} {prompt.name}: {played.outcome} {played.at}, {played.seconds} s")
        return played

    # Governed prompts and others in turn, so that a day cut short is still a day.
    mixed = [prompt for start in range(STRIDE) for prompt in prompts[start::STRIDE]]
    played = tuple(done for done in bench.pool.map(one, mixed) if done.outcome != UNPLAYED)
    enough = Fact(
        holds=len(played) >= min(ENOUGH, len(prompts)), what=f"{ENOUGH} prompts or more", saw=str(len(played))
    )
    facts = (enough, *agrees(lines_of(world.state), played, held))
    return played, Tried(name=LOG, facts=facts, seconds=round(time.monotonic() - began, 1))


def run_scenario(bench: Bench, client: Client, number: int, scenario: Scenario) -> Tried:
    """One scenario in a fresh world. What breaks it is a fact that does not hold, and the others go on."""
    began = time.monotonic()
    if bench.late():
        return Tried(name=scenario.name, facts=(Fact(holds=False, what="the time was up"),), seconds=0.0)
    facts: list[Fact] = []
    try:
        facts.extend(scenario.play(bench.world(client, f"s{number}", KEPT)))
    except (OSError, RuntimeError, ValueError, LookupError, StopIteration) as fault:
        facts.append(Fact(holds=False, what="the scenario could be played", saw=f"{type(fault).__name__}: {fault}"))
    tried = Tried(name=scenario.name, facts=tuple(facts), seconds=round(time.monotonic() - began, 1))
    _tell(f"{client.name} {tried.name}: {'holds' if tried.holds else 'DOES NOT HOLD'}, {tried.seconds} s")
    return tried


def run_client(bench: Bench, client: Client, chosen: argparse.Namespace) -> ClientResult:
    """Install one client and run everything that was asked for."""
    try:
        install(client.packages, bench.programs)
    except NotInstallableError as fault:
        print(f"SKIPPED {client.name} {client.version}: {fault}", file=sys.stderr, flush=True)
        return ClientResult(client=client.name, version=client.version, skipped=fault.message)
    trials: list[Future[Tried]] = []
    for number, scenario in enumerate(SCENARIOS):
        if client.name in scenario.clients and chosen.only in scenario.name:
            trials.append(bench.pool.submit(run_scenario, bench, client, number, scenario))
    scenarios = tuple(trial.result() for trial in trials)
    played: tuple[Played, ...] = ()
    if not chosen.only:
        played, log = run_day(bench, client, day.prompts()[:: chosen.every])
        scenarios = (*scenarios, log)
    return ClientResult(
        client=client.name,
        version=client.version,
        scenarios=scenarios,
        day=played,
        outside=bench.outside(client),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run, write the result, print the table, and say by the exit code whether all was as it must be."""
    chosen = _parser().parse_args(argv)
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=_ensure(cache_folder() / "runs")))
    bench = Bench(folder, cache_folder() / "clients", jobs=chosen.jobs, longest=chosen.longest)
    clients = [client for client in CLIENTS if not chosen.client or client.name in chosen.client]
    try:
        results = []
        for number, client in enumerate(clients):
            bench.share(len(clients) - number)
            results.append(run_client(bench, client, chosen))
    finally:
        bench.pool.shutdown(cancel_futures=True)
        if not chosen.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return _conclude(results, chosen)


def _conclude(results: Sequence[ClientResult], chosen: argparse.Namespace) -> int:
    written = as_json(results, day=datetime.now(UTC).date().isoformat(), upheld=upheld.__version__)
    _ensure(chosen.out.parent)
    chosen.out.write_text(written, "utf-8")
    print(table(json.loads(written)))
    for result in results:
        for tried in result.scenarios:
            for fact in tried.facts:
                if not fact.holds:
                    print(f"DOES NOT HOLD: {result.client}: {tried.name}: {fact.what}: {fact.saw}")
    print(f"written: {chosen.out}")
    if chosen.record:
        RECORDED.write_text(written, "utf-8")
        PAGE.write_text(with_table(PAGE.read_text("utf-8"), json.loads(written)), "utf-8")
    if not good(results):
        return EXIT_FAILED
    if any(result.skipped for result in results):
        print("NOT ALL CLIENTS WERE RUN: see the lines that begin with SKIPPED", file=sys.stderr)
        return EXIT_UNCHECKED if chosen.require else 0
    return 0


def _parser() -> argparse.ArgumentParser:
    names = [client.name for client in CLIENTS]
    parser = argparse.ArgumentParser(prog="python -m acceptance", description=__doc__)
    parser.add_argument("--client", action="append", choices=names, help="only this one; may be repeated")
    parser.add_argument("--only", default="", metavar="WORDS", help="only scenarios whose name holds this; no day")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth prompt of the day")
    parser.add_argument("--jobs", type=int, default=SIDE_BY_SIDE, help="runs side by side")
    parser.add_argument("--longest", type=float, default=LONGEST, metavar="SECONDS", help="what is begun later fails")
    parser.add_argument("--out", type=Path, default=Path("build/acceptance.json"), help="where the result goes")
    parser.add_argument(
        "--record", action="store_true", help="keep the result with the code, and its table in the page"
    )
    parser.add_argument("--require", action="store_true", help="fail where a client could not be installed")
    parser.add_argument("--keep", action="store_true", help="leave the homes and projects for a look")
    return parser


def _tell(line: str) -> None:
    """Say how far the run is, on standard error: the result itself goes to standard output."""
    print(line, file=sys.stderr, flush=True)


def _ensure(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    sys.exit(main())
