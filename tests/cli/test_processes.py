"""The commands as processes: byte-identical output, terminals, colours, the progress bar, and completion."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from demo_store import make_store
from upheld.cli.complete import keys
from upheld.cli.main import main

UPHELD = [sys.executable, "-m", "upheld"]
COLOURS = "\x1b[1;31m"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = make_store(tmp_path / "store")
    source = folder / "sources/release-notes-v2.md"
    source.write_bytes(source.read_bytes().replace(b"must", b"may"))
    return folder


def environment(**changes: str) -> dict[str, str]:
    fixed = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "PYTHONHASHSEED")}
    return fixed | {"TERM": "xterm"} | changes


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "release-notes"],
        ["recall", "support-hours"],
        ["verify"],
        ["history", "release-notes"],
        ["index"],
        ["explain"],
    ],
    ids=" ".join,
)
def test_output_is_byte_identical_from_every_fresh_process(store: Path, arguments: list[str]) -> None:
    outputs = {
        subprocess.run(
            [*UPHELD, *arguments, "--store", str(store), "--unsealed"],
            stdout=subprocess.PIPE,
            check=False,
            env=environment(PYTHONHASHSEED=seed, LANG=language, LC_ALL=language),
        ).stdout
        for seed, language in (("0", "C"), ("1", "C.UTF-8"), ("2", "POSIX"))
    }
    assert len(outputs) == 1
    [output] = outputs
    assert output
    assert b"\x1b" not in output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("changes", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
    ids=str,
)
def test_colours_are_for_terminals_of_people_who_want_them(
    store: Path, changes: dict[str, str], *, coloured: bool
) -> None:
    output = on_a_terminal([*UPHELD, "verify", "--store", str(store), "--unsealed"], environment(**changes))
    assert (COLOURS in output) == coloured
    assert "error[HSH001]" in output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_lines_of_an_answer_are_never_coloured(store: Path) -> None:
    for arguments in (["recall", "support-hours"], ["verify", "--format", "concise"], ["index", "--format", "json"]):
        output = on_a_terminal([*UPHELD, *arguments, "--store", str(store), "--unsealed"], environment())
        assert "\x1b" not in output


def on_a_terminal(command: list[str], env: dict[str, str]) -> str:
    """Run a command whose output and errors go to a pseudo-terminal, and return what it shows there."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux says EIO when the other end is closed
                break
            if not part:
                break
            shown += part
        process.wait()
    os.close(ours)
    return shown.decode()


# --- progress -----------------------------------------------------------------------------------------------------

WAITING = """
import sys
from upheld.cli import progress
progress.PATIENCE = float(sys.argv[1])
with progress.progress("verifying") as advance:
    if advance is None:
        print("nobody watches")
    else:
        for done in range(3):
            advance(done, 2)
print("rich" in sys.modules, "done")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_bar_appears_only_to_somebody_who_has_waited() -> None:
    waited = on_a_terminal([sys.executable, "-c", WAITING, "0"], environment())
    assert "verifying" in waited
    assert "True done" in waited
    assert on_a_terminal([sys.executable, "-c", WAITING, "60"], environment()).strip() == "False done"
    dumb = on_a_terminal([sys.executable, "-c", WAITING, "0"], environment(TERM="dumb"))
    assert "nobody watches" in dumb


def test_no_bar_goes_to_a_file() -> None:
    run = subprocess.run(
        [sys.executable, "-c", WAITING, "0"], capture_output=True, text=True, check=True, env=environment()
    )
    assert (run.stdout, run.stderr) == ("nobody watches\nFalse done\n", "")


# --- completion ---------------------------------------------------------------------------------------------------


def completed(shell: str, words: str, number: int, env: dict[str, str]) -> list[str]:
    run = subprocess.run(
        [*UPHELD],
        capture_output=True,
        text=True,
        check=False,
        env=env | {"_UPHELD_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)},
    )
    return [line.partition(",")[2] for line in run.stdout.splitlines()]


def test_the_shell_completes_commands_options_codes_and_keys(store: Path) -> None:
    env = environment(UPHELD_STORE=str(store))
    assert completed("bash", "upheld rec", 1, env)[0] == "recall"
    assert completed("bash", "upheld verify --form", 2, env) == ["--format"]
    assert completed("bash", "upheld recall sup", 2, env) == ["support-hours"]
    assert completed("bash", f"upheld history --store {store} rel", 4, environment()) == ["release-notes"]
    assert completed("bash", "upheld explain HSH00", 2, env)[:2] == ["HSH001", "HSH002"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_each_shell_is_printed(shell: str) -> None:
    if shell == "bash" and not _has_bash():
        pytest.skip("bash is not here, and click asks it for its version")
    run = subprocess.run(
        UPHELD, capture_output=True, text=True, check=False, env=environment(_UPHELD_COMPLETE=f"{shell}_source")
    )
    assert run.returncode == 0
    assert "_UPHELD_COMPLETE" in run.stdout


def _has_bash() -> bool:
    return any(Path(folder, "bash").exists() for folder in os.environ.get("PATH", "").split(os.pathsep))


def test_completion_offers_nothing_where_no_store_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import click

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UPHELD_STORE", raising=False)
    argument = click.Argument(["key"])
    assert keys(click.Context(click.Command("recall")), argument, "") == []
    store = make_store(tmp_path / "store")
    monkeypatch.setenv("UPHELD_STORE", str(store))
    assert keys(click.Context(click.Command("recall")), argument, "") == ["release-notes", "support-hours"]
    (store / "index.json").write_bytes(b"{")
    assert keys(click.Context(click.Command("recall")), argument, "") == []


# --- the edges of a process ---------------------------------------------------------------------------------------


def raising(error: BaseException) -> Callable[[list[str]], int]:
    def run_app(_: list[str]) -> int:
        raise error

    return run_app


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130)])
def test_an_interrupted_command_exits_quietly(monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int) -> None:
    monkeypatch.setattr("upheld.cli.app.run_app", raising(error))
    assert main(["verify"]) == code


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX pipe")
def test_a_reader_that_goes_away_is_no_error(store: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    run = subprocess.run(
        [*UPHELD, "explain", "--store", str(store)], stdout=theirs, stderr=subprocess.PIPE, check=False
    )
    os.close(theirs)
    assert run.stderr == b""
    assert run.returncode == 141
