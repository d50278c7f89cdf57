"""Files that a prompt names are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from hooking import Session
from upheld.compose.at_hand import mentioned
from upheld.errors import UsageError
from upheld.model.answer import Refusal


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("docs/policy.md", "src/app/main.py", "CHANGELOG.md", "src/app/with:colon.py"):
        (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text("x", encoding="utf-8")
    (tmp_path / "outside.md").write_text("x", encoding="utf-8")
    return tmp_path / "project"


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("Fix the typo in docs/policy.md.", ("docs/policy.md",)),
        ("Fix `docs/policy.md`, then (CHANGELOG.md)!", ("docs/policy.md", "CHANGELOG.md")),
        ("Look at @src/app/main.py:12", ("src/app/main.py",)),
        ("Look at ./src/app/../app/main.py", ("src/app/main.py",)),
        ("Fix docs/policy.md and docs/policy.md", ("docs/policy.md",)),
        ("Rewrite docs/missing.md", ()),
        ("Rewrite ../outside.md and /etc/passwd and ~/.ssh/id", ()),
        ("See https://example.org/docs/policy.md", ()),
        ("Version 1.2 of e.g. this, and so on...", ()),
        ("policy", ()),
        ("", ()),
        ("a\0b/c", ()),
        ("x/" * 5_000, ()),
    ],
)
def test_what_a_prompt_names(top: Path, prompt: str, found: tuple[str, ...]) -> None:
    assert mentioned(prompt, str(top), str(top)) == found


def test_a_name_may_be_meant_from_where_the_person_stands(top: Path) -> None:
    assert mentioned("Open app/main.py", str(top / "src"), str(top)) == ("src/app/main.py",)


def test_no_more_than_twenty_words_are_looked_up(top: Path) -> None:
    assert mentioned(" ".join(f"a/{number}" for number in range(30)) + " docs/policy.md", str(top), str(top)) == ()


def test_what_governs_a_file_governs_a_prompt_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    session = Session(tmp_path, monkeypatch, capfd)
    session.keep()
    (session.project / "CHANGELOG.md").write_text("# Changes\n", encoding="utf-8")
    assert "`notes` governs this (structured)" in session.prompt("Sort CHANGELOG.md by date.")
    assert "`notes`" not in session.prompt("Sort ARCHIVE.md by date.")


def test_a_route_takes_an_absolute_path_and_refuses_one_that_leads_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    session = Session(tmp_path, monkeypatch, capfd)
    memory = session.keep()
    for path in ("CHANGELOG.md", str(session.project / "CHANGELOG.md")):
        routed = memory.route("Sort it.", paths=(path,))
        assert not isinstance(routed, Refusal)
        assert routed.keys == ("notes",), path
    elsewhere = memory.route("Sort it.", paths=("/etc/hosts",))
    assert not isinstance(elsewhere, Refusal)
    assert elsewhere.outcome == "none"
    for path in ("../CHANGELOG.md", "sub/../../CHANGELOG.md"):
        with pytest.raises(UsageError, match="not a path within the repository"):
            memory.route("Sort it.", paths=(path,))
