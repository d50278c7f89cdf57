"""The doctor command: what is wrong with a store, and what mends it."""

from __future__ import annotations

import click

from upheld.cli.asking import Terminal
from upheld.cli.options import Shared
from upheld.cli.writing import Consent, writing
from upheld.model.reports import Diagnosis

_FAILED = 1


@click.command("doctor", short_help="What is wrong with a store, and its cure.")
@click.option("--fix", is_flag=True, help="Do what is safe: nothing is deleted, damaged bytes are kept aside.")
@writing
def command(given: Shared, consent: Consent, fix: bool) -> tuple[Diagnosis, int]:
    """Examine a store: damaged files, loose files, conflict markers, permissions. Exits 1 while an error is left.

    \b
    Examples:
      upheld doctor
      upheld doctor --fix
    """
    found = given.open().doctor(fix=fix and not consent.dry_run, ask=Terminal(yes=consent.yes))
    return found, _FAILED if any(finding.severity == "error" for finding in found.findings) else 0
