"""The remember command: a new key with its first version."""

from __future__ import annotations

from typing import Any

import click

from upheld.cli.asking import given_text, text_or_ask, words
from upheld.cli.options import Shared
from upheld.cli.triggers.matched import matched, take_edit
from upheld.cli.writing import Consent, because, dated, owned, writing
from upheld.errors import UsageError
from upheld.model.written import Written

_START = "# {key}\n\n"


@click.command("remember", short_help="A new instruction under a key.")
@click.argument("key")
@click.argument("text", required=False)
@click.option("--when", metavar="SENTENCE", help="When the instruction applies; asked for at a terminal.")
@click.option("--file", metavar="FILE", help="Read the text from a file (- for standard input).")
@click.option("--source", metavar="FILE", help="A file of the repository owns the text; it is read from there.")
@because
@owned
@dated
@matched
@writing
def command(
    given: Shared,
    consent: Consent,
    key: str,
    text: str | None,
    when: str | None,
    file: str | None,
    source: str | None,
    because: str | None,
    **options: Any,
) -> Written:
    """Remember a new instruction under KEY. The text is TEXT, or --file, standard input, or your editor.

    The first line that is neither blank nor a heading is the instruction: one whole sentence on one line.

    \b
    Examples:
      upheld remember deploy-window "Deploy on weekdays before 15:00 UTC." \\
          --when "Before deploying to production." --because "Agreed in the operations review."
      upheld remember code-style --source docs/style.md --when "Before writing code." \\
          --because "The style guide is the owner." --volatility stable
    """
    memory, edit = given.open(), take_edit(options)
    if source is not None and (text is not None or file is not None):
        raise UsageError("both a text and --source are given", help="give one of them")
    if when is None or because is None or (source is None and text is None and file is None):
        memory.check_new(key)  # before anybody is asked for anything
    when = words(when, "--when", "When does it apply?")
    because = words(because, "--because", "Why is it remembered?")
    data = given_text(text, file) if source is not None else text_or_ask(text, file, _START.format(key=key))
    options["trigger"] = None if edit.is_empty else edit
    return memory.remember(key, data, when=when, because=because, source=source, **options, **consent.keywords)
