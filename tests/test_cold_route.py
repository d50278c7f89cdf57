"""What a route imports beyond a recall, by name, and that its two doors take the same options."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import upheld
from demo_store import make_store
from test_cold_path import FORBIDDEN, OURS, modules
from upheld.cli import cold_route, route_command
from upheld.cli.app import app
from upheld.cli.cold_route import RouteCall, parse
from upheld.cli.main import main

ROUTE = "import sys\nfrom upheld.cli.main import main\nassert main(sys.argv[1:]) == 0"
BEYOND_A_RECALL = {
    "upheld.checks.trie", "upheld.cli.cold_route", "upheld.cli.route", "upheld.compose.mounted", "upheld.model.route",
    "upheld.routing", "upheld.routing.commands", "upheld.routing.confirm", "upheld.routing.form",
    "upheld.routing.globs", "upheld.routing.head", "upheld.routing.index", "upheld.routing.keywords", "upheld.routing.lexicon", "upheld.routing.matching",
    "upheld.routing.segment",
    "upheld.routing.resolve", "upheld.routing.router", "upheld.routing.score", "upheld.routing.several",
    "upheld.routing.statements", "upheld.routing.terms", "upheld.routing.tools", "upheld.routing.words",
    "upheld.services.route", "upheld.services.rules", "upheld.stores.route_file", "upheld.wire.examples",
    "upheld.wire.trigger",
}  # fmt: skip
STANDARD = {"__future__", "_json", "_sha256", "_sha2", "_struct", "_bisect", "_operator", "binascii", "errno", "gc",
            "itertools", "math", "mmap", "zlib"}  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose route index is built, with the folders of a user of its own."""
    folder = tmp_path_factory.mktemp("cold")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        made = make_store(folder / "store")
        upheld.open(made, unsealed=True).triggers.build()
    return made


@pytest.fixture
def imported(store: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.setenv("XDG_STATE_HOME", str(store.parent / "state"))
    arguments = ["Before writing or changing release notes", "--store", str(store), "--unsealed"]
    assert main(["route", *arguments]) == 0
    return modules(ROUTE, "route", *arguments) - modules("")


def test_a_route_imports_these_modules_of_ours_and_no_other(imported: set[str]) -> None:
    ours = {name for name in imported if name.partition(".")[0] == "upheld"}
    assert ours - OURS <= BEYOND_A_RECALL
    assert {name for name in ours if name.startswith("upheld.cli")} >= {"upheld.cli.route", "upheld.cli.cold_route"}


def test_a_statement_settles_a_task_without_the_scores(imported: set[str]) -> None:
    assert "upheld.routing.router" in imported
    assert "upheld.routing.score" not in imported


def test_a_route_imports_next_to_nothing_from_the_standard_library(imported: set[str]) -> None:
    assert {name for name in imported if name.partition(".")[0] != "upheld"} <= STANDARD
    assert imported & FORBIDDEN == set()


def spellings(command: click.Command) -> set[str]:
    return {spelling for one in command.params if isinstance(one, click.Option) for spelling in one.opts}


def test_the_cold_door_of_route_knows_the_options_of_the_framework() -> None:
    assert {*cold_route.VALUED, *cold_route.MANY, *cold_route.SWITCHES} == spellings(route_command.command)


WORDS = st.lists(
    st.sampled_from(
        ["a task", "", "--store", "--store=x", "--path", "--path=a/b", "--tool=T", "--command", "git push", "--format",
         "json", "--format=none", "--unsealed", "--load", "--ranked", "--pin=x", "--as-of", "--help", "--", "-x"]
    ),
    max_size=7,
)  # fmt: skip


@given(WORDS)
def test_what_the_cold_door_takes_the_framework_reads_alike(words: list[str]) -> None:
    call = parse(["route", *words])
    if call is None:
        return
    seen: list[RouteCall] = []

    def remember(found: RouteCall) -> int:
        seen.append(found)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(route_command, "run", remember)
        app.main(["route", *words], standalone_mode=False)
    assert seen == [call]


def test_what_stands_before_the_verb_is_left_to_the_framework(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(store.parent / "state"))
    assert parse(["--unsealed", "route", "x"]) is None
    run = subprocess.run(
        [sys.executable, "-m", "upheld", "--unsealed", "--store", str(store), "route", "a sandwich"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout.partition(":")[0]) == (0, "none"), run.stderr
