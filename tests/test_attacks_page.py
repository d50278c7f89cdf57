"""The table of attacks names cases and tests that are there, and leaves no attack out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/explanation/attacks.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| ([AB]\d+[a-z]?) \|(.*)\|$", PAGE, re.MULTILINE))
WANTED = [*(f"A{number}" for number in range(1, 22)), "A18b", "A18c", "A18d", "B8"]


def test_no_attack_is_left_out() -> None:
    assert sorted(ROWS) == sorted(WANTED)


@pytest.mark.parametrize("attack", WANTED)
def test_what_tries_an_attack_is_there(attack: str) -> None:
    tried = re.findall(r"`((?:conformance|tests)/[^`]+)`", ROWS[attack])
    assert tried, "nothing tries it"
    for one in tried:
        assert _exists(one), one


def test_what_is_named_outside_the_table_is_there() -> None:
    named = re.findall(r"`((?:conformance|tests)/[^`]+)`", PAGE)
    assert [one for one in named if not _exists(one)] == []


def _exists(named: str) -> bool:
    file, _, test = named.partition("::")
    path = ROOT / file
    if file.startswith("conformance/"):
        return (path / "case.json").is_file() and path.name.endswith(("_fail", "_pass"))
    return path.is_file() and (not test or f"def {test}(" in path.read_text("utf-8"))
