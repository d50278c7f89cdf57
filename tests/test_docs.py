"""Everything that the README and the documentation show as code is run; ``snippets.py`` states the convention."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from snippets import Runner, blocks

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:|mailto:|#)(?P<target>[^)#\s]+)(?:#[^)\s]*)?\)")
_FENCED = re.compile(r"^( *)(`{3,}|~{3,}).*?^ *\2", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_a_page_shows_is_what_happens(page: Path, tmp_path: Path) -> None:
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    runner = Runner(home=home, scratch=scratch)
    for block in blocks(page.read_text("utf-8"), name(page)):
        if block.runs:
            runner.run(block)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_to_a_file(page: Path) -> None:
    text = _FENCED.sub("", page.read_text("utf-8"))
    dead = [link["target"] for link in _LINK.finditer(text) if not (page.parent / link["target"]).exists()]
    assert dead == []


def test_every_page_of_the_documentation_is_in_its_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in PAGES if page.is_relative_to(ROOT / "docs")]
    assert [page for page in pages if f": {page}\n" not in navigation] == []


def test_every_decision_is_listed_in_the_index_of_decisions() -> None:
    index = (ROOT / "docs/adr/README.md").read_text("utf-8")
    decisions = sorted((ROOT / "docs/adr").glob("[0-9]*.md"))
    assert decisions
    assert [path.name for path in decisions if f"({path.name})" not in index] == []
    numbers = [int(path.name[:4]) for path in decisions]
    assert numbers == list(range(1, len(numbers) + 1)), "numbers are given in order and never reused"
