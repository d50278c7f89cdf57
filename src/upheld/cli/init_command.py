"""The init command: a new store."""

from __future__ import annotations

import os

import click

from upheld.cli.options import Shared
from upheld.cli.writing import Consent, writing
from upheld.compose.library import Memory
from upheld.compose.location import FOLDER
from upheld.model.written import Written


@click.command("init")
@click.argument("directory", metavar="[DIR]", required=False)
@writing
def command(given: Shared, consent: Consent, directory: str | None) -> Written:
    """Make a new store in DIR, or in .upheld here.

    \b
    Examples:
      upheld init
      upheld init team-memory --dry-run
    """
    path = os.path.abspath(directory or given.store or FOLDER)
    return Memory(path=path, why="named", unsealed=given.unsealed).init(**consent.keywords)
