"""The restore command: an earlier version once more."""

from __future__ import annotations

from typing import Any

import click

from upheld.cli.asking import words
from upheld.cli.options import Shared
from upheld.cli.writing import Consent, because, dated, owned, writing
from upheld.model.written import Written


@click.command("restore", short_help="An earlier version applies again.")
@click.argument("key")
@click.option("--to", metavar="VERSION", required=True, help="A number from 1, a record id, or the start of a digest.")
@click.option("--unbind", is_flag=True, help="The store owns the text from now on, not a file of the repository.")
@because
@owned
@dated
@writing
def command(given: Shared, consent: Consent, key: str, to: str, because: str | None, **options: Any) -> Written:
    """Let an earlier version of KEY apply again, as a new version. Brings a retired key back.

    \b
    Examples:
      upheld restore deploy-window --to 1 --because "The new window did not work."
      upheld restore deploy-window --to deploy-window-v2-7f2a --because "It applies again."
    """
    memory = given.open()
    because = words(because, "--because", "Why is it restored?")
    return memory.restore(key, to=to, because=because, **options, **consent.keywords)
