"""The rename command: another name for a key."""

from __future__ import annotations

import click

from upheld.cli.asking import words
from upheld.cli.options import Shared
from upheld.cli.writing import Consent, because, writing
from upheld.model.written import Written


@click.command("rename", short_help="A key gets another name.")
@click.argument("key")
@click.argument("new")
@because
@writing
def command(given: Shared, consent: Consent, key: str, new: str, because: str | None) -> Written:
    """Give KEY the name NEW. No date moves; the old name says where the instruction went.

    \b
    Examples:
      upheld rename deploy-window release-window --because "That is what everybody calls it."
    """
    memory = given.open()
    because = words(because, "--because", "Why is it renamed?")
    return memory.rename(key, new, because=because, **consent.keywords)
