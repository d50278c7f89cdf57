"""What a recall imports, by name, and that the cold door and the command framework take the same options.

The lists change only on purpose: each module of ours costs about a quarter of a millisecond at every prompt, and one
careless import from the standard library can cost as much as a whole recall (docs/adr/0003-cold-path.md).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo_store import make_store
from upheld.cli import cold
from upheld.cli.app import COMMANDS, app
from upheld.cli.cold import RecallCall, parse
from upheld.cli.options import Shared
from upheld.render.formats import FORMATS

STANDARD = {"__future__", "_json", "itertools", "gc", "_sha256" if sys.version_info < (3, 12) else "_sha2", "errno"}
"""Modules of the standard library that a recall loads and a bare interpreter does not, where none is loaded anyway."""

FORBIDDEN = {
    "argparse", "click", "collections", "contextlib", "cryptography", "dataclasses", "datetime", "enum", "functools",
    "hashlib", "importlib.metadata", "json", "logging", "pathlib", "platformdirs", "re", "rich", "subprocess",
    "tempfile", "threading", "typing",
}  # fmt: skip

OURS = {
    "upheld", "upheld.checks", "upheld.checks.binding", "upheld.checks.bound", "upheld.checks.dates",
    "upheld.checks.finding_of", "upheld.checks.instruction", "upheld.checks.links", "upheld.checks.pool",
    "upheld.checks.records", "upheld.checks.sources", "upheld.checks.trie", "upheld.cli", "upheld.cli.cold",
    "upheld.cli.main", "upheld.cli.output", "upheld.cli.recall", "upheld.compose", "upheld.compose.clock",
    "upheld.compose.gate", "upheld.compose.library", "upheld.compose.location", "upheld.compose.state",
    "upheld.errors", "upheld.model", "upheld.model.answer", "upheld.model.chain", "upheld.model.day",
    "upheld.model.finding", "upheld.model.index", "upheld.model.names", "upheld.model.record",
    "upheld.model.trusted", "upheld.model.value", "upheld.render", "upheld.render.escape", "upheld.render.formats",
    "upheld.render.text", "upheld.services", "upheld.services.admission", "upheld.services.gather",
    "upheld.services.recall", "upheld.services.snapshot", "upheld.stores", "upheld.stores.directory",
    "upheld.stores.files", "upheld.stores.place", "upheld.stores.state_directory", "upheld.wire",
    "upheld.wire.digest", "upheld.wire.fields", "upheld.wire.index", "upheld.wire.record", "upheld.wire.strictjson",
    "upheld.wire.text", "upheld.wire.trusted",
}  # fmt: skip


def modules(code: str, *arguments: str) -> set[str]:
    """The modules that a fresh process holds after running some code. Its own output is thrown away."""
    report = "\nimport sys\nsys.stderr.write('\\n@' + ','.join(sys.modules))"
    # -I leaves PYTHON* variables and the user's site out; coverage starts itself through such a variable.
    run = subprocess.run(
        [sys.executable, "-I", "-c", code + report, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("COV_")},
    )
    return set(run.stderr.rpartition("@")[2].split(","))


RECALL = "import sys\nfrom upheld.cli.main import main\nassert main(sys.argv[1:]) == 0"


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    store = make_store(tmp_path_factory.mktemp("cold") / "store")
    # Start-up files of the environment (.pth) may load anything, and then nothing more is loaded: bare as a baseline.
    return modules(RECALL, "recall", "release-notes", "--store", str(store), "--unsealed") - modules("")


def test_a_recall_imports_these_modules_of_ours_and_no_other(imported: set[str]) -> None:
    assert {name for name in imported if name.partition(".")[0] == "upheld"} == OURS


def test_a_recall_imports_next_to_nothing_from_the_standard_library(imported: set[str]) -> None:
    assert {name for name in imported if name.partition(".")[0] != "upheld"} <= STANDARD


def test_what_would_cost_a_whole_recall_is_not_imported(imported: set[str]) -> None:
    assert imported & FORBIDDEN == set()


@pytest.mark.parametrize("arguments", [["--format", "json"], ["--line"], ["--format", "concise"]])
def test_no_other_form_of_the_answer_imports_it_either(tmp_path: Path, arguments: list[str]) -> None:
    store = make_store(tmp_path / "store")
    imported = modules(RECALL, "recall", "release-notes", "--store", str(store), "--unsealed", *arguments)
    assert (imported - modules("")) & FORBIDDEN == set()


def test_the_package_itself_imports_nothing() -> None:
    assert modules("import upheld") - modules("") <= {"upheld", "__future__"}


# --- the two doors ------------------------------------------------------------------------------------------------


def options(command: click.Command) -> dict[str, bool]:
    """The spellings of a command's options, and whether each takes a value."""
    return {
        spelling: not parameter.is_flag
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for spelling in parameter.opts
        if not isinstance(parameter.type, click.types.UnprocessedParamType)
    }


def recall_command() -> click.Command:
    command = app.get_command(click.Context(app), "recall")
    assert command is not None
    return command


def test_the_cold_door_knows_the_options_of_the_framework() -> None:
    known = dict.fromkeys(cold._VALUED, True) | dict.fromkeys(cold._SWITCHES, False)
    assert known == options(recall_command())


def test_both_doors_know_the_same_formats() -> None:
    [form] = [parameter for parameter in recall_command().params if parameter.name == "format"]
    assert isinstance(form.type, click.Choice)
    assert tuple(form.type.choices) == FORMATS


WORDS = st.lists(
    st.sampled_from(
        ["recall", "verify", "customer-copy", "", "--store", "--store=x", "--as-of", "2026-01-01", "--format", "json",
         "--format=text", "--format=none", "--unsealed", "--unsealed=yes", "--line", "--help", "-h", "--", "-x", "x"]
    ),
    max_size=7,
)  # fmt: skip


@given(WORDS)
def test_what_the_cold_door_takes_the_framework_reads_alike(words: list[str]) -> None:
    call = parse(words)
    if call is None:
        return
    seen: list[RecallCall] = []
    command = recall_command()
    outer, inner = _split(words)
    with app.make_context("upheld", [*outer, "recall", *inner], parent=None) as group:
        given_outer = Shared(**{name: group.params[name] for name in ("store", "unsealed", "as_of", "format")})
        with command.make_context("recall", list(inner), parent=group) as context:
            values = dict(context.params)
            own = Shared(**{name: values.pop(name) for name in ("store", "unsealed", "as_of", "format")})
            both = own.over(given_outer)
            seen.append(
                RecallCall(
                    key=values["key"],
                    line=values["line"],
                    store=both.store,
                    as_of=both.as_of,
                    format=both.form,
                    unsealed=both.unsealed,
                )
            )
    assert seen == [call]


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """What stands before and after the verb, where the verb is no option's value."""
    at = 0
    while at < len(words):
        if words[at] in cold._VALUED:
            at += 2
        elif words[at] == "recall":
            return words[:at], words[at + 1 :]
        else:
            at += 1
    raise AssertionError("a recall has a verb")


@pytest.mark.parametrize("option", [["--line"], ["--receipt", "x"], ["--receipt=x"]])
def test_an_option_of_recall_before_the_verb_is_left_to_the_framework(option: list[str]) -> None:
    assert parse([*option, "recall", "x"]) is None
    assert parse(["recall", *option, "x"]) is not None


@pytest.mark.parametrize("verb", [verb for verb in COMMANDS if verb != "recall"])
def test_every_other_verb_is_left_to_the_framework(verb: str) -> None:
    assert parse([verb, "x"]) is None
