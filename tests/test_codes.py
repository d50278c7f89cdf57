"""Every code has a page, a case in the corpus and a place that emits it.

A new code: write ``src/upheld/render/pages/CODE.md``, add a case to ``conformance/make.py`` and run it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conformance_case import CORPUS
from upheld.model.codes import CODES
from upheld.render.explain import page

SOURCE = Path(__file__).parent.parent / "src" / "upheld"
_PARTS = ["## What it means", "## What is done about it", "## How to mend it", "## Example"]


def _has_page(code: str) -> bool:
    try:
        return bool(page(code))
    except KeyError:
        return False


def test_every_code_has_a_page() -> None:
    missing = {code for code in CODES if not _has_page(code)}
    assert missing == set(), "write src/upheld/render/pages/CODE.md for these"


def test_every_page_belongs_to_a_code_and_has_its_parts() -> None:
    for path in sorted((SOURCE / "render" / "pages").glob("*.md")):
        assert path.stem in CODES, f"{path.name} is about no code"
        text = path.read_text("utf-8")
        assert text.startswith(f"# {path.stem} {CODES[path.stem].name}\n"), f"{path.name}: wrong title"
        assert [part for part in _PARTS if part not in text] == [], path.name
        assert len(text) > 300, f"{path.name} says too little"


def test_every_code_has_a_case_in_the_corpus() -> None:
    named = [path.parent.name for path in CORPUS.glob("*/case.json")]
    named += [
        path.stem
        for folder in ("routing", "screen", "gate", "commands", "hooks")
        for path in (CORPUS / folder).glob("*.json")
    ]
    cased = {name.partition("-")[0] for name in named}
    missing = set(CODES) - cased
    assert missing == set(), (
        "add a case for these to conformance/make.py and run it, or one to conformance/routing, screen, gate, commands or hooks"
    )
    assert cased - set(CODES) == {"OK"}


def test_every_code_is_emitted_somewhere() -> None:
    """Emitting is naming the code as a string outside of the table (a docstring does not count)."""
    text = "".join(
        path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "model" / "codes.py"
    )
    emitted = set(re.findall(r"\"([A-Z]{3}\d{3})\"", re.sub(r'"""(?s:.*?)"""', "", text)))
    missing = set(CODES) - emitted
    assert missing == set(), "no place in src/upheld emits these"
    assert emitted - set(CODES) == set(), "these are emitted and stand in no row of model/codes.py"


def test_a_page_is_asked_for_by_its_code_only() -> None:
    for name in ("HSH999", "../explain", "", "hsh001"):
        with pytest.raises(KeyError):
            page(name)
