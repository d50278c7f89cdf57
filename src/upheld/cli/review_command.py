"""The review command: does an instruction still hold?"""

from __future__ import annotations

from typing import Any

import click

from upheld.cli.asking import words
from upheld.cli.options import Shared
from upheld.cli.writing import Consent, dated, writing
from upheld.model.reports import Review
from upheld.model.written import Written


@click.command("review", short_help="Judge a key; move its dates with evidence.")
@click.argument("key")
@click.option("--confirm", is_flag=True, help="It was checked against reality and holds: move its dates.")
@click.option("--evidence", metavar="TEXT", help="What it was checked against. It stands in the record.")
@click.option("--reviewer", metavar="NAME", help="Who checked it (default: you).")
@dated
@writing
def command(
    given: Shared, consent: Consent, key: str, confirm: bool, evidence: str | None, **options: Any
) -> Review | Written:
    """Show what there is to judge about KEY; with --confirm, record that it holds and move its dates.

    A confirmation is the only way to move the dates of a text that stays as it is.

    \b
    Examples:
      upheld review deploy-window
      upheld review deploy-window --confirm --evidence "Compared with the operations handbook, page 4."
    """
    memory = given.open()
    if not confirm:
        return memory.review(key)
    evidence = words(evidence, "--evidence", "What was it checked against?")
    return memory.review(key, confirm=True, evidence=evidence, **options, **consent.keywords)
