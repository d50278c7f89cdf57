"""A fragment with a name that towncrier does not know would be left out of the changelog without a word."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOWNCRIER = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
TYPES = [kind["directory"] for kind in TOWNCRIER["type"]]
FRAGMENTS = [path for path in (ROOT / TOWNCRIER["directory"]).iterdir() if path.name != "README.md"]


def test_every_fragment_is_named_by_issue_and_type() -> None:
    form = re.compile(rf"(\d+|\+[a-z0-9-]+)\.({'|'.join(TYPES)})(\.\d+)?\.md")
    assert [path.name for path in FRAGMENTS if not form.fullmatch(path.name)] == []


def test_every_fragment_says_something_in_sentences() -> None:
    texts = {path.name: path.read_text("utf-8").strip() for path in FRAGMENTS}
    assert [name for name, text in texts.items() if not text.endswith(".")] == []


def test_every_type_is_explained() -> None:
    explained = (ROOT / TOWNCRIER["directory"] / "README.md").read_text("utf-8")
    assert [kind for kind in TYPES if f"| `{kind}` |" not in explained] == []


def test_the_changelog_holds_the_mark_where_releases_go() -> None:
    assert (ROOT / TOWNCRIER["filename"]).read_text("utf-8").count(TOWNCRIER["start_string"]) == 1
