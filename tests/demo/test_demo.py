"""The demonstration: every case is refused by an expected code, and a reader that fails to is caught."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from upheld.cli.main import main
from upheld.compose.demo import Demo
from upheld.errors import UsageError
from upheld.model.codes import CODES
from upheld.services.demo import run as demo_run
from upheld.services.demo.cases import CASES, Case
from upheld.services.demo.receipt import result
from upheld.services.demo.spoil import Copy
from upheld.services.demo.store import build
from upheld.wire.digest import sha256_hex

TODAY = "2026-11-30"


def test_every_case_has_a_name_of_its_own_and_known_codes() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    assert {code for case in CASES for code in case.expect} <= CODES.keys()


def test_the_list_holds_what_the_article_ends_with_and_more() -> None:
    names = {case.name for case in CASES}
    article = {
        "pointer-to-superseded", "source-edited", "record-edited", "forward-link-missing", "reverse-link-missing",
        "links-disagree", "self-link", "circle", "review-due", "expired",
    }  # fmt: skip
    more = {
        "pointer-edited", "traversal", "symbolic-link", "duplicate-json-key", "two-currents", "source-missing",
        "line-endings", "merge-marker",
    }  # fmt: skip
    assert article | more <= names
    assert [case.name for case in CASES if not case.expect] == ["neighbour", "untouched"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_changes_its_copy_or_says_that_it_does_not(case: Case, tmp_path: Path) -> None:
    copy = Copy(tmp_path / "copy", TODAY)
    demo_run.write(build(TODAY), copy.folder)
    before = demo_run.digests(copy.folder)
    case.spoil(copy)
    assert (demo_run.digests(copy.folder) != before) == (case.name not in ("untouched", "unsealed-by-accident"))


def test_a_case_that_would_change_nothing_is_an_error(tmp_path: Path) -> None:
    copy = Copy(tmp_path, TODAY)
    copy.path("a").write_bytes(b"one")
    with pytest.raises(ValueError, match="does not hold"):
        copy.swap("a", b"two", b"three")


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
    assert made["printed_sha256"] == sha256_hex(output.partition("\n4. The result")[0].encode())
    for case, trial in zip(CASES, made["cases"], strict=True):
        assert trial["case"] == case.name
        assert trial["inputs"] == demo_run.digests(tmp_path / "demo" / "cases" / case.name)
        assert trial["code"] in case.expect or (not case.expect and trial["outcome"] == "unsealed")
    again = made["cases"][0]
    rerun = subprocess.run([sys.executable, *again["command"]], stdout=subprocess.PIPE, check=False)
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
