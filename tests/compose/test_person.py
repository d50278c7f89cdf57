"""Who writes, and with which editor."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from upheld.compose.person import editor, writer_name


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    return tmp_path


def program(folder: Path, name: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def test_visual_comes_before_editor(home: Path) -> None:
    assert editor({"VISUAL": "code -w", "EDITOR": "ed"}) == "code -w"
    assert editor({"EDITOR": "ed"}) == "ed"


def test_without_either_it_is_the_editor_of_ones_own_git_settings(home: Path) -> None:
    (home / ".gitconfig").write_text("[core]\n\teditor = emacs -nw\n", encoding="utf-8")
    assert editor({"PATH": str(home)}) == "emacs -nw"


def test_a_checkout_chooses_no_program(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "work" / ".git").mkdir(parents=True)
    (home / "work" / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (home / "work" / ".git" / "config").write_text("[core]\n\teditor = evil\n", encoding="utf-8")
    monkeypatch.chdir(home / "work")
    assert editor({"PATH": str(home)}) is None


def test_without_any_setting_it_is_a_usual_one_that_is_installed(home: Path) -> None:
    program(home / "bin", "vi")
    assert editor({"PATH": str(home / "bin")}) == "vi"
    program(home / "bin", "nano")
    assert editor({"PATH": str(home / "bin")}) == "nano"


def test_a_writers_name_holds_no_control_character(home: Path) -> None:
    assert writer_name({"UPHELD_OWNER": "A\x1b[31m\nB"}, str(home)) == "A[31mB"
