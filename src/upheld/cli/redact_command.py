"""The redact command: get a text out that should never have got in."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import Consent, writing
from upheld.model.written import Written


@click.command("redact", short_help="Take a text out of the store for good.")
@click.argument("key")
@click.option(
    "--version",
    "versions",
    metavar="VERSION",
    multiple=True,
    required=True,
    help="A number from 1, a record id, or the start of a digest; may be given several times.",
)
@click.option("--with-reasons", is_flag=True, help="Replace the reason and the evidence of these versions as well.")
@writing
def command(given: Shared, consent: Consent, key: str, versions: tuple[str, ...], with_reasons: bool) -> Written:
    """Take the text of superseded versions of KEY out of the store, and say what this cannot reach.

    The text that applies now cannot be redacted: correct it first. What is taken out is never shown.

    \b
    Examples:
      upheld correct deploy-window --because "A password got in."
      upheld redact deploy-window --version 1
    """
    return given.open().redact(key, *versions, with_reasons=with_reasons, **consent.keywords)
