"""triggers test: tasks whose answer is known."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import reporting
from upheld.model.trigger_reports import Tried


@click.command("test", short_help="Route tasks whose answer is known.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--for", "key", metavar="KEY", help="The key that the rows are about (default: the file's name).")
@click.option("--baseline", metavar="FILE", help="What to compare with (default: FILE.baseline.json, if it is there).")
@click.option("--accept", is_flag=True, help="Keep what was found as the baseline.")
@reporting
def command(
    given: Shared, files: tuple[str, ...], key: str | None, baseline: str | None, accept: bool
) -> tuple[Tried, int]:
    """Route the tasks of FILE, or the store's own examples, and count. Exits 1 where it is worse than the baseline.

    A file is a list of {"query": "...", "should_trigger": true}. A row may also have "key", "paths", "tool" and
    "command", and "only": true where nothing else may load either.

    \b
    Examples:
      upheld triggers test
      upheld triggers test tests/customer-copy.json --accept
    """
    tried = given.open().triggers.test(files, key=key, baseline=baseline, accept=accept)
    return tried, int(tried.regressed)
