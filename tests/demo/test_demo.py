"""The demonstration: every case is refused by an expected code, and a reader that fails to is caught."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from upheld.cli.main import main
from upheld.compose import demo_world
from upheld.compose.demo import Demo
from upheld.compose.demo_world import World
from upheld.errors import StorageError, UsageError
from upheld.model.codes import CODES
from upheld.services.demo import run as demo_run
from upheld.services.demo.case import Case
from upheld.services.demo.cases import CASES
from upheld.services.demo.receipt import result
from upheld.wire.digest import sha256_hex


def test_every_case_has_a_name_of_its_own_and_known_codes() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    assert {code for case in CASES for code in case.expect} <= CODES.keys()


def test_each_case_expects_one_code_or_an_answer() -> None:
    assert [case.name for case in CASES if len(case.expect) > 1] == []
    assert [case.name for case in CASES if not case.expect] == [
        "neighbour",
        "planted",
        "untouched",
        "article-untouched",
    ]


def test_the_articles_closing_list_is_met_by_the_check_that_names_each() -> None:
    closing = {
        "article-source-edited": "HSH001",
        "article-record-edited": "HSH002",
        "article-pointer-edited": "HSH002",
        "article-forward-link-missing": "SUP006",
        "article-reverse-link-missing": "LNK003",
        "article-links-disagree": "LNK003",
        "article-self-link": "LNK004",
        "article-circle": "LNK005",
        "article-pointer-to-superseded": "SUP001",
        "article-review-due": "DAT001",
        "article-expired": "DAT002",
    }
    assert {case.name: case.expect[0] for case in CASES if case.name in closing} == closing


def test_what_only_a_seal_or_a_memory_outside_the_store_can_refuse_is_there() -> None:
    sealed = {
        "rewritten-and-rehashed": "SIG013",
        "rolled-back": "RBK001",
        "fork": "RBK002",
        "downgrade": "RBK010",
        "other-store": "RBK003",
        "store-removed": "RBK004",
        "seal-removed": "RBK010",
        "unknown-key": "SIG014",
        "revoked-key": "SIG024",
    }
    assert {case.name: case.expect[0] for case in CASES if case.name in sealed} == sealed


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> demo_run.Surroundings:
    return World(tmp_path_factory.mktemp("world")).surroundings()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_changes_its_copy_or_says_that_it_does_not(
    case: Case, tmp_path: Path, around: demo_run.Surroundings
) -> None:
    copy = demo_run.lay(case, tmp_path, around)
    before = demo_run.digests(tmp_path)
    case.spoil(copy)
    untouched = ("untouched", "review-due", "expired", "article-untouched", "article-unsealed-by-accident")
    assert (demo_run.digests(tmp_path) != before) == (case.name not in untouched)


def test_every_snapshot_but_those_that_must_not_count_would_be_served(
    tmp_path: Path, around: demo_run.Surroundings
) -> None:
    """So that each of them is refused for what it is in this place, and not because it is spoilt in itself."""
    for name in ("sealed", "older", "fork", "other"):
        case = CASES[0].replace(start=name, spoil=lambda copy: None, expect=())
        copy = demo_run.lay(case, tmp_path / name, around)
        command = demo_run.recall_command(case.key, copy.folder)
        done = demo_run.process(command, tmp_path, around.environ(tmp_path / name / "home"))
        assert json.loads(done.stdout)["outcome"] == "verified", name


def test_nothing_of_the_users_own_is_read_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(mine))
    for name in ("STATE", "CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(mine / name))
    monkeypatch.setenv("UPHELD_STORE", str(mine / "no-such-store"))
    monkeypatch.setenv("UPHELD_KEY", str(mine / "no-such-key"))
    assert main(["demo", "--into", str(tmp_path / "demo")]) == 0
    assert list(mine.iterdir()) == []
    assert str(mine) not in capsys.readouterr().out


def test_a_process_that_keeps_its_state_elsewhere_stops_the_demonstration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_world, "environ", lambda home: {**os.environ, "XDG_STATE_HOME": "/elsewhere"})
    with pytest.raises(StorageError, match="does not keep its state in the home"):
        Demo.start(str(tmp_path / "demo"))


def test_a_case_that_would_change_nothing_is_an_error(tmp_path: Path, around: demo_run.Surroundings) -> None:
    copy = demo_run.lay(CASES[0], tmp_path, around)
    with pytest.raises(ValueError, match="does not hold"):
        copy.swap(copy.new, b"no such words", b"others")


def test_the_command_passes_and_its_receipt_binds_what_was_read_and_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    receipt = tmp_path / "receipt.json"
    assert main(["demo", "--into", str(tmp_path / "demo"), "--receipt", str(receipt)]) == 0
    output = capsys.readouterr().out
    made = json.loads(receipt.read_text("utf-8"))
    assert output.count("  PASS  ") == len(CASES) == made["passed"]
    assert (made["failed"], made["skipped"]) == (0, 0)
    assert str(receipt) in output
    assert made["printed_sha256"] == sha256_hex(output.partition("\n5. The result")[0].encode())
    for case, trial in zip(CASES, made["cases"], strict=True):
        place = tmp_path / "demo" / "cases" / case.name
        read = {name: digest for name, digest in trial["inputs"].items() if not name.startswith("home/")}
        assert trial["case"] == case.name
        assert read == {name: at for name, at in demo_run.digests(place).items() if not name.startswith("home/")}
        assert any(name.startswith("home/") for name in trial["inputs"]) == case.is_sealed
        assert trial["code"] in case.expect or (not case.expect and trial["outcome"] in ("verified", "unsealed"))
    again = made["cases"][0]
    environ = demo_world.environ(tmp_path / "demo" / again["home"])
    rerun = subprocess.run([sys.executable, *again["command"]], env=environ, stdout=subprocess.PIPE, check=False)
    assert rerun.returncode == again["exit_code"] == 4
    assert sha256_hex(rerun.stdout) == again["output_sha256"]


def test_json_is_the_receipt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--into", str(tmp_path / "demo"), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "demo" / "receipt.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ('print(\'{"outcome": "unsealed", "text": "x"}\')', "it was served"),
        ('print(\'{"outcome": "verified", "text": "x"}\')', "it was served"),
        ('import sys; print(\'{"outcome": "refused", "code": "FMT999"}\'); sys.exit(4)', "it was refused as FMT999"),
        ('print(\'{"outcome": "refused", "code": "HSH001"}\')', "it neither served nor refused (exit 0)"),
        ("raise SystemExit(70)", "it neither served nor refused (exit 70)"),
        ("print('[]')", "it neither served nor refused (exit 0)"),
    ],
)
def test_a_reader_that_is_wrong_fails_the_demonstration(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    script: str,
    problem: str,
) -> None:
    monkeypatch.setattr(demo_run, "recall_command", lambda *_, **__: ("-c", script))
    monkeypatch.setattr(demo_run, "CASES", (CASES[0], CASES[-1]))
    assert main(["demo", "--into", str(tmp_path / "demo")]) == 1
    output = capsys.readouterr().out
    assert f"but {problem}" in output
    assert "THIS IS A BUG" in output
    assert json.loads((tmp_path / "demo/receipt.json").read_text("utf-8"))["failed"] == 2


def test_what_the_machine_does_not_allow_is_skipped_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    [case] = [case for case in CASES if case.name == "symbolic-link"]
    monkeypatch.setattr(demo_run, "CASES", (case,))
    monkeypatch.setattr(Path, "symlink_to", no_links)
    assert main(["demo", "--into", str(tmp_path / "demo")]) == 0
    assert "  SKIP  " in capsys.readouterr().out


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        Demo.start(str(tmp_path))
    with pytest.raises(UsageError):
        Demo.start(str(tmp_path / "mine"))
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_no_case_ran_means_no_result(tmp_path: Path) -> None:
    demo = Demo.start(str(tmp_path / "demo"))
    assert (demo.passed, demo.failed, demo.skipped) == (0, 0, 0)
    assert demo.first_recall().startswith("# Release notes\n")
    trial = next(iter(demo.trials()))
    assert result(trial) == "PASS"
    assert demo.passed == 1
