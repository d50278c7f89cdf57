"""The import command: proposals from a folder of Markdown files, and nothing else."""

from __future__ import annotations

import click

from upheld.cli.deciding import gated
from upheld.cli.options import Shared
from upheld.model.imported import Imported


@click.command("import", short_help="Propose every Markdown file of a folder.")
@click.argument("folder")
@gated
def command(given: Shared, folder: str) -> tuple[Imported, int]:
    """Make a proposal of every Markdown file below FOLDER; a person decides about each (`upheld inbox --review`).

    A file may begin with front matter: `key`, `when`, `because`, `owner`, `volatility`, `review_on`, `expires_on`, one
    `name: value` a line between two lines `---`. Exits 0, or 1 where a file was skipped; each skip says why.

    \b
    Examples:
      upheld import docs/decisions
      upheld import notes --format json
    """
    made = given.open().import_folder(folder)
    return made, 0 if made.proposed == len(made.files) else 1
