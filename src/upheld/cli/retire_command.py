"""The retire command: an instruction that no longer applies."""

from __future__ import annotations

import click

from upheld.cli.asking import words
from upheld.cli.options import Shared
from upheld.cli.writing import Consent, because, owned, writing
from upheld.model.written import Written


@click.command("retire", short_help="A key no longer applies; history stays.")
@click.argument("key")
@because
@owned
@writing
def command(given: Shared, consent: Consent, key: str, because: str | None, owner: str | None) -> Written:
    """Retire KEY: it is refused from now on, its history stays, and `restore` brings it back.

    \b
    Examples:
      upheld retire deploy-window --because "Deployments are continuous now."
    """
    memory = given.open()
    because = words(because, "--because", "Why is it retired?")
    return memory.retire(key, because=because, owner=owner, **consent.keywords)
