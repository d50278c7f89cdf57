"""The diff command: what changed between two versions."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import reporting
from upheld.model.reports import Comparison


@click.command("diff", short_help="What changed between two versions.")
@click.argument("key")
@click.argument("old", required=False)
@click.argument("new", required=False)
@reporting
def command(given: Shared, key: str, old: str | None, new: str | None) -> Comparison:
    """Show what changed between two versions of KEY: the newest and the one before, or OLD and NEW.

    \b
    Examples:
      upheld diff deploy-window
      upheld diff deploy-window 1 3
    """
    return given.open().diff(key, old, new)
