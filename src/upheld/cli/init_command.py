"""The init command: a new store."""

from __future__ import annotations

import os

import click

from upheld.cli.options import Shared
from upheld.cli.writing import Consent, writing
from upheld.compose.library import Memory
from upheld.compose.location import FOLDER
from upheld.model.written import Written


@click.command("init", short_help="A new, sealed store here, pinned.")
@click.argument("directory", metavar="[DIR]", required=False)
@click.option(
    "--no-passphrase", is_flag=True, help="UNSAFE: a key that is made now can be used by any process of yours."
)
@click.option(
    "--automation",
    metavar="VERBS",
    default="",
    help="Verbs that --yes may answer for, with commas: remember,correct. None by default.",
)
@click.option(
    "--accept",
    type=click.Choice(["SIG030"]),
    multiple=True,
    help="Accept by name what every recall would mention: SIG030, the key signs with nobody there.",
)
@writing
def command(
    given: Shared,
    consent: Consent,
    directory: str | None,
    no_passphrase: bool,
    automation: str,
    accept: tuple[str, ...],
) -> Written:
    """Make a new, sealed store in DIR, or in .upheld here, and pin it.

    The key that seals it is the one that --key names; else your own, which is made now if there is none. Give it a
    passphrase: whoever can use the key without you, an agent for one, can change what agents are told.

    \b
    Examples:
      upheld init
      upheld init --key ~/.ssh/id_ed25519
      upheld init team-memory --dry-run
      upheld init --no-passphrase --automation remember,correct    (for machines and tests)
    """
    verbs = tuple(verb.strip() for verb in automation.split(",") if verb.strip())
    path = os.path.abspath(directory or given.store or FOLDER)
    memory = Memory(path=path, why="named", key=given.key)
    return memory.init(passphrase=not no_passphrase, automation=verbs, accept=accept, **consent.keywords)
