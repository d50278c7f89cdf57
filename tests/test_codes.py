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
PENDING_PAGES = frozenset(
    {
        "LOG001",
        "LOG002",
        "POL001",
        "POL002",
        "POL003",
        "POL004",
        "POL005",
        "POL006",
        "POL007",
        "POL008",
        "POL009",
        "POL010",
        "POL011",
        "POL012",
        "POL013",
        "POL014",
        "POL015",
        "POL016",
        "POL017",
        "POL018",
        "POL019",
        "POL020",
        "POL021",
        "POL022",
        "POL023",
        "POL024",
        "POL025",
        "POL040",
        "POL041",
        "POL042",
        "POL043",
        "POL044",
        "POL045",
        "RBK001",
        "RBK002",
        "RBK003",
        "RBK004",
        "RBK005",
        "RBK006",
        "RBK007",
        "RBK008",
        "RBK009",
        "RBK010",
        "RBK011",
        "RBK012",
        "RBK013",
        "RBK014",
        "RBK015",
        "SIG010",
        "SIG011",
        "SIG012",
        "SIG013",
        "SIG014",
        "SIG015",
        "SIG016",
        "SIG020",
        "SIG021",
        "SIG022",
        "SIG023",
        "SIG024",
        "SIG025",
        "SIG026",
        "SIG027",
        "SIG028",
        "SIG030",
    }
)
PENDING_CASES = frozenset(
    {
        "LOG001",
        "LOG002",
        "POL001",
        "POL002",
        "POL003",
        "POL004",
        "POL005",
        "POL006",
        "POL007",
        "POL008",
        "POL009",
        "POL010",
        "POL011",
        "POL012",
        "POL013",
        "POL014",
        "POL015",
        "POL016",
        "POL017",
        "POL018",
        "POL019",
        "POL020",
        "POL021",
        "POL022",
        "POL023",
        "POL024",
        "POL025",
        "POL040",
        "POL041",
        "POL042",
        "POL043",
        "POL044",
        "POL045",
        "RBK001",
        "RBK002",
        "RBK003",
        "RBK004",
        "RBK005",
        "RBK006",
        "RBK007",
        "RBK008",
        "RBK009",
        "RBK010",
        "RBK011",
        "RBK012",
        "RBK013",
        "RBK014",
        "RBK015",
        "SIG010",
        "SIG011",
        "SIG012",
        "SIG013",
        "SIG014",
        "SIG015",
        "SIG016",
        "SIG020",
        "SIG021",
        "SIG022",
        "SIG023",
        "SIG024",
        "SIG025",
        "SIG026",
        "SIG027",
        "SIG028",
        "SIG030",
        "STO008",  # these three are found by doctor, which no case runs
        "STO009",
        "STO010",
    }
)
"""Codes whose page or case is still to be written. They may only be taken away: a new code is not pending."""
PENDING_EMITTERS = frozenset({"RBK004"})
_PARTS = ["## What it means", "## What is done about it", "## How to mend it", "## Example"]


def _has_page(code: str) -> bool:
    try:
        return bool(page(code))
    except KeyError:
        return False


def test_every_code_has_a_page() -> None:
    missing = {code for code in CODES if not _has_page(code)}
    assert missing - PENDING_PAGES == set(), "write src/upheld/render/pages/CODE.md for these"
    assert PENDING_PAGES - missing == set(), "these have a page now: take them off PENDING_PAGES"


def test_every_page_belongs_to_a_code_and_has_its_parts() -> None:
    for path in sorted((SOURCE / "render" / "pages").glob("*.md")):
        assert path.stem in CODES, f"{path.name} is about no code"
        text = path.read_text("utf-8")
        assert text.startswith(f"# {path.stem} {CODES[path.stem].name}\n"), f"{path.name}: wrong title"
        assert [part for part in _PARTS if part not in text] == [], path.name
        assert len(text) > 300, f"{path.name} says too little"


def test_every_code_has_a_case_in_the_corpus() -> None:
    cased = {path.parent.name.partition("-")[0] for path in CORPUS.glob("*/case.json")}
    missing = set(CODES) - cased
    assert missing - PENDING_CASES == set(), "add a case for these to conformance/make.py and run it"
    assert PENDING_CASES - missing == set(), "these have a case now: take them off PENDING_CASES"
    assert cased - set(CODES) == {"OK"}


def test_every_code_is_emitted_somewhere() -> None:
    """Emitting is naming the code as a string outside of the table (a docstring does not count)."""
    text = "".join(
        path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "model" / "codes.py"
    )
    emitted = set(re.findall(r"\"([A-Z]{3}\d{3})\"", re.sub(r'"""(?s:.*?)"""', "", text)))
    missing = set(CODES) - emitted
    assert missing - PENDING_EMITTERS == set(), "no place in src/upheld emits these"
    assert PENDING_EMITTERS - missing == set(), "these are emitted now: take them off PENDING_EMITTERS"
    assert emitted - set(CODES) == set(), "these are emitted and stand in no row of model/codes.py"


def test_a_page_is_asked_for_by_its_code_only() -> None:
    for name in ("HSH999", "../explain", "", "hsh001"):
        with pytest.raises(KeyError):
            page(name)
