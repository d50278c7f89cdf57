"""Who gave --yes at a terminal is told that leaving it out is the cure."""

from __future__ import annotations

from upheld.model.codes import CODES


def test_the_cure_of_pol050_names_yes() -> None:
    assert "without `--yes`" in CODES["POL050"].help
